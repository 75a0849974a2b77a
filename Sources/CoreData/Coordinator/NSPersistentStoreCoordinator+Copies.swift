import Foundation

extension NSPersistentStoreCoordinator {
  /// Adds a store in memory that begins with the objects and the metadata of another one, under the
  /// same primary keys. From there on, each goes its own way.
  ///
  /// Rows are shared until one of the stores changes them, so that the cost does not grow with their number, unless
  /// they have transformable values, which are copied, or the stores have different places in their coordinators.
  ///
  /// - Parameter other: A store in memory whose coordinator has the same model, as one object.
  /// - Throws: an error with the code `NSPersistentStoreInvalidTypeError` when either is a store of
  ///   another class, with `NSPersistentStoreIncompatibleVersionHashError` when its model is
  ///   another object, and what the copying of a transformable value throws.
  @discardableResult
  package final func addCopy(of other: NSPersistentStore) throws -> NSPersistentStore {
    guard let other = other as? InMemoryStore else {
      throw CocoaError.coreData(
        NSPersistentStoreInvalidTypeError,
        message:
          "a store of the type \(other.type) cannot be copied into memory as it is; move it there first."
      )
    }
    guard other.model === managedObjectModel else {
      throw CocoaError.coreData(
        NSPersistentStoreIncompatibleVersionHashError,
        message:
          "a store in memory can be copied where the model is the same object; make the coordinator with the store's model."
      )
    }
    let url = try StoreTypes.defaultURL(of: NSInMemoryStoreType)
    let place = StoreDescriptor(url: url, type: NSInMemoryStoreType, options: other.options)
    let store = try open(place, configuration: nil)
    guard let copy = store as? InMemoryStore else {
      throw CocoaError.coreData(
        NSPersistentStoreInvalidTypeError,
        message:
          "the type \(NSInMemoryStoreType) is registered for the class \(type(of: store)), into which no store can be copied; "
          + "register that class under a type of its own."
      )
    }
    try copy.begin(with: other)
    try register(store)
    return store
  }
}
