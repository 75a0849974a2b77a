extension NSManagedObjectContext {
  /// Hands what an event changed to the undo manager.
  final func registerUndo(of changed: ContiguousArray<NSManagedObject>) {
    guard let undoManager, undoManager.isUndoRegistrationEnabled else { return }
    let changes = changed.compactMap(UndoableChange.init)
    if changes.isEmpty { return }
    undoManager.registerUndo(withTarget: self) { $0.revert(changes) }
  }

  /// Takes an event back. That is an event of its own, which is registered as the way to redo.
  private final func revert(_ changes: [UndoableChange]) {
    for change in changes { change.revertPresence(in: self) }
    for change in changes { change.revertValues() }
    for change in changes where change.object.state.contains(.registered) {
      withoutNotingChanges(of: change.object) {
        change.object.awake(fromSnapshotEvents: change.snapshotEvent)
      }
    }
    processChanges()
    for change in changes { change.object.forgetUpdateWithoutDifference() }
  }

  /// Takes an object away as a deletion does, whose delete rules have been taken care of.
  final func withdrawObject(_ object: NSManagedObject) {
    guard object.state.contains(.registered), !object.isDeleted else { return }
    object.fireFaultIfNeeded()
    if !object.state.contains(.eventNoted) { object.noteEvent() }
    object.state.formUnion([.deleted, .deletionPropagated])
    noteChange(of: object)
  }

  /// Takes a deletion back. An object whose deletion was saved already is inserted anew.
  final func bringBack(_ object: NSManagedObject) {
    if object.state.contains(.registered) {
      guard object.isDeleted else { return }
      if !object.state.contains(.eventNoted) { object.noteEvent() }
      object.state.subtract([.deleted, .deletionPropagated])
    } else {
      object.becomeNew(in: registry)
      registry.add(object)
    }
    noteChange(of: object)
  }
}

extension NSManagedObject {
  /// Makes an object that was deleted for good one that has never been saved, with the values that it has.
  fileprivate final func becomeNew(in registry: ObjectRegistry) {
    self.registry = registry
    key = TemporaryKey.next()
    store = ObjectReference.noStore
    let row = rowAtHand?.copy() ?? Row(layout: layout)
    row.version = 0
    setRow(row)
    state.subtract([.gone, .deleted, .deletionPropagated, .updated, .fault])
    state.formUnion([.registered, .inserted, .eventNoted, .insertedInEvent])
    guard let extras else { return }
    extras.objectID = nil
    extras.committed = nil
    for case let relationship? in extras.toMany { relationship.countAllAsAdded() }
  }

  /// An object that has been set back to what is kept of it is no longer updated.
  fileprivate final func forgetUpdateWithoutDifference() {
    guard isUpdated, persistentChanges().isEmpty, transientValues.isEmpty else { return }
    state.remove(.updated)
    extras?.committed = nil
  }
}

extension ToManyState {
  /// All destinations are new to the store when the object itself is.
  fileprivate func countAllAsAdded() {
    removed.removeAll()
    added = members ?? ObjectSet()
  }
}
