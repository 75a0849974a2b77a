import CoreData
import Foundation

/// Reads the predicate of `--where`.
enum PredicateReader {
  static func read(_ text: String) throws -> NSPredicate {
    #if canImport(ObjectiveC)
      NSPredicate(format: text)
    #else
      do {
        return try NSPredicate(parsing: text)
      } catch {
        throw CommandFailure("--where: \(error)")
      }
    #endif
  }
}
