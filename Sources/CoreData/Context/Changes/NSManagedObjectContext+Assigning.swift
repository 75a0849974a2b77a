extension NSManagedObjectContext {
  final func assignObject(_ object: Any, to store: NSPersistentStore) {
    checkConfinement("assign(_:to:)")
    guard let object = object as? NSManagedObject, object.registry === registry else {
      fatalError("\(object) is not an object of this context; assign(_:to:) takes those that were inserted into it.")
    }
    guard object.state.contains(.inserted), object.reference.isTemporary else {
      fatalError("\(object.describeIdentity()) is in a store already, and cannot be assigned to another.")
    }
    guard store.persistentStoreCoordinator === persistentStoreCoordinator,
      persistentStoreCoordinator?.canStore(object.layout.entity, in: store) == true
    else {
      fatalError(
        """
        \(object.describeIdentity()) cannot be assigned to the store \(store.identifier ?? ""): that is not a store of \
        the context's coordinator, or its configuration does not have the entity.
        """
      )
    }
    object.store = store.index
    object.extras?.objectID = nil
  }

  final func watchForConflicts(of object: NSManagedObject) {
    checkConfinement("detectConflicts(for:)")
    object.fireFaultIfNeeded()
    if !watched.contains(where: { $0 === object }) { watched.append(object) }
  }
}
