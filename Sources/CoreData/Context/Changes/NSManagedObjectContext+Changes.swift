import Foundation

extension NSManagedObjectContext {
  // MARK: - Recording changes

  final func recordChange(of object: NSManagedObject) {
    guard awakening == 0, object.state.contains(.registered) else { return }
    if object.state.isDisjoint(with: .changed) { object.state.insert(.updated) }
    if object.state.insert(.listed).inserted { pending.append(object) }
    if object.state.insert(.listedForEvent).inserted { pendingForEvent.append(object) }
    scheduleProcessing()
  }

  /// On the main queue, changes made outside of `perform` are processed when the queue is next free.
  ///
  /// Changes that other threads make wait for the next save or fetch. The main queue would process
  /// them while the other thread goes on changing.
  final func scheduleProcessing() {
    guard concurrencyType == .mainQueueConcurrencyType, !isProcessingScheduled, queue.isHeldHere else { return }
    isProcessingScheduled = true
    let reference = WeakContext(context: self)
    queue.async {
      guard let context = reference.context else { return }
      context.isProcessingScheduled = false
      context.processChanges()
    }
  }

  final func insertObject(_ object: NSManagedObject) {
    checkConfinement("insert(_:)")
    if object.state.contains(.registered) {
      if object.registry === registry { return bringBack(object) }
      fatalError("\(object.describeIdentity()) is in another context; get it here by object(with: objectID).")
    }
    object.registry = registry
    object.state.formUnion([.registered, .inserted, .eventRecorded, .insertedInEvent])
    if isGuarded { object.state.insert(.guarded) }
    registry.add(object)
    if retainsRegisteredObjects { retained[ObjectIdentifier(object)] = object }
    recordChange(of: object)
    object.awakeFromInsert()
  }

  final func deleteObject(_ object: NSManagedObject) {
    checkConfinement("delete(_:)")
    guard object.registry === registry, object.state.contains(.registered) else {
      fatalError("\(object.describeIdentity()) is not in this context; delete it in its own.")
    }
    guard !object.isDeleted else { return }
    markAsDeleted(object)
    if !propagatesDeletesAtEndOfEvent { applyDeleteRules(of: object) }
  }

  // MARK: - Processing

  /// Ends an event: applies delete rules, passes the changes to the undo manager, and posts the notification.
  ///
  /// - Returns: the objects that changed.
  @discardableResult
  final func processChanges() -> ContiguousArray<NSManagedObject> {
    applyDeleteRulesOfEvent()
    guard !pendingForEvent.isEmpty || !arrived.isEmpty else { return [] }
    setsOfEvent = nil
    let (changed, arrived) = (pendingForEvent, arrived)
    pendingForEvent = []
    self.arrived = ArrivedChanges()
    for object in changed { object.state.remove(.listedForEvent) }
    registerUndo(of: changed)
    postChanges(changed, arrived: arrived)
    for object in changed where !object.state.contains(.listedForEvent) { object.endEvent() }
    return changed
  }

  private final func postChanges(_ changed: ContiguousArray<NSManagedObject>, arrived: ArrivedChanges) {
    let sets = ChangedSets(ofEvent: changed)
    // A save that follows announces the same objects.
    if changed.count == pending.count { setsOfEvent = sets }
    var userInfo: [AnyHashable: Any] = [:]
    let inserted = arrived.inserted.isEmpty ? sets.inserted : sets.inserted.union(arrived.inserted)
    Self.add(inserted, key: NSInsertedObjectsKey, to: &userInfo)
    Self.add(sets.updated, key: NSUpdatedObjectsKey, to: &userInfo)
    Self.add(sets.deleted, key: NSDeletedObjectsKey, to: &userInfo)
    Self.add(Set(arrived.refreshed.lazy.filter { !$0.hasChanges }), key: NSRefreshedObjectsKey, to: &userInfo)
    guard !userInfo.isEmpty else { return }
    NotificationCenter.default.post(name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: userInfo)
  }

  static func add(_ objects: Set<NSManagedObject>, key: String, to userInfo: inout [AnyHashable: Any]) {
    if !objects.isEmpty { userInfo[key] = objects }
  }

  // MARK: - Dropping changes

  final func rollBackChanges() {
    checkConfinement("rollback()")
    undoManager?.removeAllActions(withTarget: self)
    let changed = pending
    let inserted = changed.filter { $0.state.contains(.inserted) }
    let announced = inserted.filter(\.wasPresentBeforeEvent)
    let deleted = changed.filter { !$0.state.contains(.inserted) && !$0.wasPresentBeforeEvent }
    for object in changed { object.forgetChanges() }
    for object in inserted { leave(object) }
    forgetPending()
    watched = []
    readingFailure = nil
    for object in changed where object.state.contains(.registered) {
      withoutRecordingChanges(of: object) { object.awake(fromSnapshotEvents: .rollback) }
    }
    for object in changed { object.refillOrderedSets() }
    postRollback(inserted: deleted, deleted: announced, refreshed: changed)
  }

  /// Posts a notification that new objects are gone, that deleted ones are back, and that the
  /// others have their former values.
  private final func postRollback(
    inserted: [NSManagedObject],
    deleted: [NSManagedObject],
    refreshed: ContiguousArray<NSManagedObject>
  ) {
    var userInfo: [AnyHashable: Any] = [:]
    Self.add(Set(inserted), key: NSInsertedObjectsKey, to: &userInfo)
    Self.add(Set(deleted), key: NSDeletedObjectsKey, to: &userInfo)
    let back = Set(inserted.map(ObjectIdentifier.init))
    let others = refreshed.filter { object in
      object.state.contains(.registered) && !back.contains(ObjectIdentifier(object))
    }
    Self.add(Set(others), key: NSRefreshedObjectsKey, to: &userInfo)
    guard !userInfo.isEmpty else { return }
    NotificationCenter.default.post(name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: userInfo)
  }

  final func forgetObjects() {
    checkConfinement("reset()")
    undoManager?.removeAllActions(withTarget: self)
    pullReferences()
    let objects = registry.allObjects()
    let objectIDs = objects.map(\.objectID)
    forgetPending()
    watched = []
    arrived = ArrivedChanges()
    for object in objects {
      object.extras = nil
      object.state.insert(.inaccessible)
      if object.reference.isTemporary { continue }
      object.setRow(nil)
      object.state.insert(.fault)
    }
    retained = [:]
    readingFailure = nil
    registry.loseContext()
    renewRegistry()
    advanceQueryGeneration()
    if objectIDs.isEmpty { return }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange,
      object: self,
      userInfo: [NSInvalidatedAllObjectsKey: objectIDs]
    )
  }

  final func forgetPending() {
    for object in pendingForEvent { object.state.remove(.listedForEvent) }
    for object in pending {
      object.state.subtract([.listed, .listedForEvent])
      object.endEvent()
      object.extras?.releaseOrderedSets()
    }
    pending = []
    pendingForEvent = []
    setsOfEvent = nil
  }

  /// Takes an object out of the context for good.
  final func leave(_ object: NSManagedObject) {
    registry.remove(
      Unmanaged.passUnretained(object).toOpaque(),
      reference: object.reference,
      root: object.layout.rootNumber
    )
    object.state.subtract([.registered, .guarded])
    object.state.insert(.inaccessible)
    retained[ObjectIdentifier(object)] = nil
  }
}

extension NSManagedObject {
  /// True when the object was present before the current event. Observers of the context know such
  /// an object, and have not been notified yet of the event's changes.
  fileprivate final var wasPresentBeforeEvent: Bool {
    if state.contains(.insertedInEvent) { return false }
    return !(extras?.event?.state ?? state).contains(.deleted)
  }

  /// Restores the values that were fetched or last saved. An object that another context has
  /// deleted has no such values.
  /// - Parameter isAnnounced: true when observers of the object have already been notified of the change.
  final func forgetChanges(isAnnounced: Bool = false) {
    let isGone = state.contains(.deletedElsewhere)
    defer { if isGone { turnIntoFault() } }
    if !isAnnounced { announceChanges() }
    state.subtract([.inserted, .updated, .deleted, .deletionPropagated, .deletedElsewhere])
    if let committed = extras?.committed { setRow(committed) }
    guard let extras else { return }
    extras.committed = nil
    extras.destinations.removeAll()
    extras.toMany.removeAll()
  }
}
