import Foundation

extension EntityLayout {
  /// What predicates can ask of an object beside its properties.
  func otherValue(forKey key: String, of object: Any, objectID: @autoclosure () -> Any) throws -> Any? {
    switch key {
    case "self", "SELF": return object
    case "objectID": return objectID()
    case "entity": return entity
    default: throw unknownKey(key)
    }
  }

  func unknownKey(_ key: String) -> NSError {
    CocoaError.coreData(
      NSCoreDataError,
      """
      entity \(entity.name ?? "") has no property named \(key); its properties are \
      \(places.keys.sorted().joined(separator: ", ")).
      """
    )
  }
}
