import Foundation

extension EntityLayout {
  /// The value of a key that predicates can ask of any object in addition to its properties; `nil` for other keys.
  func otherValue(forKey key: String, of object: Any, objectID: @autoclosure () -> Any) -> Any? {
    switch key {
    case "self", "SELF": return object
    case "objectID": return objectID()
    case "entity": return entity
    default: return nil
    }
  }

  func unknownKey(_ key: String) -> NSError {
    CocoaError.coreData(
      NSCoreDataError,
      message: """
        entity \(entity.name ?? "") has no property named \(key); its properties are \
        \(places.keys.sorted().joined(separator: ", ")).
        """
    )
  }
}
