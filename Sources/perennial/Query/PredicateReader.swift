import CoreData
import Foundation

enum PredicateReader {
  static func read(_ text: String, of entity: NSEntityDescription) throws -> NSPredicate {
    NSPredicate(format: text)
  }
}
