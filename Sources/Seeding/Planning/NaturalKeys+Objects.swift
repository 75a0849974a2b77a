import CoreData

extension NaturalKeys {
  /// The values that an object has for its natural key; nil if it does not have all of them.
  func values(of object: NSManagedObject) -> KeyValues? { key(of: object.entity)?.values(of: object) }

  /// The object's natural key in words.
  func words(of object: NSManagedObject) -> String? { values(of: object)?.words }

  /// The object's entity and natural key in words.
  func name(of object: NSManagedObject) -> String {
    [object.entity.name, words(of: object)].compactMap { $0 }.joined(separator: " ")
  }
}
