import Foundation

extension NSPersistentStoreCoordinator {
  /// Adds a store in memory that begins with the objects and the metadata of another one, under the same primary keys. From
  /// there on, each goes its own way.
  ///
  /// Rows are shared until one of the stores changes them, so that the cost does not grow with their number, unless they have
  /// transformable values, which are copied, or the stores have different places in their coordinators.
  ///
  /// - Parameter other: A store in memory whose coordinator has the same model, as one object.
  /// - Throws: an error with the code `NSPersistentStoreInvalidTypeError` when it is a store of another type, with
  ///   `NSPersistentStoreIncompatibleVersionHashError` when its model is another object, and what the copying of a transformable
  ///   value throws.
  @discardableResult
  package final func addCopy(of other: NSPersistentStore) throws -> NSPersistentStore {
    guard let other = other as? InMemoryStore else {
      throw CocoaError.coreData(
        NSPersistentStoreInvalidTypeError,
        "a store of the type \(other.type) cannot be copied into memory as it is; move it there first."
      )
    }
    guard other.model === managedObjectModel else {
      throw CocoaError.coreData(
        NSPersistentStoreIncompatibleVersionHashError,
        "a store in memory can be copied where the model is the same object; make the coordinator with the store's model."
      )
    }
    let url = try StoreTypes.defaultURL(of: NSInMemoryStoreType)
    let place = StorePlace(url: url, type: NSInMemoryStoreType, options: other.options)
    let store = try open(place, configuration: nil)
    try (store as? InMemoryStore)?.begin(with: other)
    try register(store)
    return store
  }
}
