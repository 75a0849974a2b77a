/// Perennial's own: the number in an ID, for those who keep very many of them.
extension NSManagedObjectID {
  /// The key of the object's row, unique among the entities under one root of one store; `nil` for
  /// a temporary ID.
  public final var primaryKey: Int64? { reference.isTemporary ? nil : reference.key }

  /// The key that an object's ID has, without making the ID.
  public static func primaryKey(of object: NSManagedObject) -> Int64? {
    object.reference.isTemporary ? nil : object.reference.key
  }
}

extension NSPersistentStore {
  /// The ID of the object with a key, whether there is one or not; `nil` when the store is in no
  /// coordinator.
  ///
  /// - Parameter entity: the object's own entity, of the coordinator's model.
  public final func objectID(of entity: NSEntityDescription, primaryKey: Int64) -> NSManagedObjectID? {
    guard let coordinator = persistentStoreCoordinator else { return nil }
    let reference = ObjectReference(key: primaryKey, entity: entity.layout.number, store: index)
    return NSManagedObjectID(
      reference: reference,
      layout: entity.layout,
      model: coordinator.managedObjectModel,
      store: self
    )
  }
}
