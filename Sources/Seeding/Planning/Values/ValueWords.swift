package import CoreData
import Foundation
import Texts

/// A short form of an object's value for messages: texts in quotes, objects by their natural keys,
/// long values shortened.
package enum ValueWords {
  /// - Parameter name: The natural key of an object, in words; nil where it has none.
  package static func of(_ value: Any?, _ name: (NSManagedObject) -> String?) -> String {
    switch value {
    case nil, is NSNull: return "nothing"
    case let one as NSManagedObject: return words(one, name)
    case let ordered as NSOrderedSet: return list(ordered.array, name)
    case let set as Set<NSManagedObject>: return list(Array(set), name, isSorted: true)
    case let text as String: return "\"\(text.abbreviated)\""
    case let date as Date: return ISO8601Date.words(date)
    case let data as Data: return "\(data.count) bytes"
    case let value?: return "\(value)".abbreviated
    }
  }

  private static func list(_ objects: [Any], _ name: (NSManagedObject) -> String?, isSorted: Bool = false)
    -> String
  {
    let names = objects.compactMap { ($0 as? NSManagedObject).map { words($0, name) } }
    return "[\((isSorted ? names.sorted() : names).joined(separator: ", "))]"
  }

  private static func words(_ object: NSManagedObject, _ name: (NSManagedObject) -> String?) -> String {
    name(object) ?? "a \(object.entity.name ?? "")"
  }
}
