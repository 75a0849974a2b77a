import Foundation

extension NSManagedObjectContext {
  final func connect(coordinator: NSPersistentStoreCoordinator?) {
    guard coordinator !== coordinatorSet else { return }
    requireUnconnected(to: "persistentStoreCoordinator")
    coordinatorSet = coordinator
    channel = coordinator
    if let policy = coordinator?.commonFaultPolicy.policy, policy != .ignore { faultPolicy = policy }
    renewRegistry()
    followParent()
  }

  final func connect(parent: NSManagedObjectContext?) {
    guard parent !== parentSet else { return }
    requireUnconnected(to: "parent")
    parentSet = parent
    channel = parent
    renewRegistry()
    parent?.queue.sync {
      parent?.children.add(self)
      if let policy = parent?.faultWatch?.policy { faultPolicy = policy }
    }
  }

  final func renewRegistry() {
    registry = ObjectRegistry(model: model, coordinator: persistentStoreCoordinator, context: self)
    layoutOfLastClass = nil
  }

  private final func requireUnconnected(to key: String) {
    if coordinatorSet == nil, parentSet == nil || registry.allObjects().isEmpty { return }
    fatalError("\(key) of a context that is in use cannot be set anew; make another context.")
  }

  /// The model whose objects the context has.
  final var model: NSManagedObjectModel? { persistentStoreCoordinator?.managedObjectModel }

  final var connectedModel: NSManagedObjectModel {
    if let model { return model }
    fatalError(
      "the context has neither a persistent store coordinator nor a parent; set one of them before it is used."
    )
  }

  final func connectedChannel() throws -> any ObjectChannel {
    if let channel {
      return coordinatorSet?.monitoring.monitor.map { MonitoredChannel(channel: channel, monitor: $0) }
        ?? channel
    }
    throw CocoaError.coreData(
      NSCoreDataError,
      message:
        "the context has neither a persistent store coordinator nor a parent; set one of them before it is used."
    )
  }

  final func store(at index: Int32) -> NSPersistentStore? { persistentStoreCoordinator?.store(at: index) }

  /// The entity of a class in the context's model.
  final func entity(for objectClass: NSManagedObject.Type) -> NSEntityDescription {
    if let layoutOfLastClass, layoutOfLastClass.objectClass == objectClass { return layoutOfLastClass.entity }
    if let entity = ClassRegister.entity(of: objectClass, in: connectedModel) {
      layoutOfLastClass = entity.layout
      return entity
    }
    fatalError(
      """
      the context's model has no entity for the class \(objectClass); set the entity's class to \(objectClass), \
      or use init(entity:insertInto:).
      """
    )
  }

  final func layout(_ number: Int32) -> EntityLayout { connectedModel.numberedEntities[Int(number) - 1].layout }

  /// The reference of an ID in this context's coordinator, which the ID need not come from.
  final func reference(of objectID: NSManagedObjectID) -> ObjectReference {
    var reference = objectID.reference
    if reference.isTemporary || objectID.coordinatorNumber == registry.coordinatorNumber { return reference }
    let own = persistentStoreCoordinator?.persistentStores.first { store in
      store.identifier == objectID.persistentStore?.identifier
    }
    reference.store = own?.index ?? ObjectReference.noStore
    return reference
  }
}

extension NSEntityDescription {
  /// The entity of a name in the model of a context.
  ///
  /// ```swift
  /// let entity = NSEntityDescription.entity(forEntityName: "Song", in: context)
  /// print(entity?.attributesByName.keys.sorted() ?? [])
  /// ```
  public final class func entity(
    forEntityName entityName: String,
    in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.connectedModel.entitiesByName[entityName]
  }

  /// Makes an object of the entity of that name, of the entity's class, and inserts it into a context.
  ///
  /// ```swift
  /// let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
  /// song.setValue("Low Tide", forKey: "title")
  /// song.setValue(201, forKey: "seconds")
  /// try context.save()
  /// ```
  public final class func insertNewObject(
    forEntityName entityName: String,
    into context: NSManagedObjectContext
  ) -> NSManagedObject {
    context.checkConfinement("insert(_:)")
    guard let entity = entity(forEntityName: entityName, in: context) else {
      fatalError(
        """
        the context's model has no entity named \(entityName); its entities are \
        \(context.connectedModel.entitiesByName.keys.sorted().joined(separator: ", ")).
        """
      )
    }
    return context.insertNewObject(of: entity.layoutForNewObject())
  }
}

extension NSPersistentStore {
  /// A context that has the objects of a save, for a store that is asked in terms of objects.
  final func makeSavingContext(_ changes: ChangeSet) throws -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    try context.take(changes, appliesDeleteRules: false)
    return context
  }
}
