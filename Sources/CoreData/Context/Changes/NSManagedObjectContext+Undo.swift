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
    let before = Dictionary(changes.map { ($0.object, $0.object.reference) }) { first, _ in first }
    for change in changes { revertPresence(of: change) }
    leadToReturned(before.filter { $0.key.reference != $0.value })
    for change in changes { change.revertValues() }
    for change in changes where change.object.state.contains(.registered) {
      withoutRecordingChanges(of: change.object) { change.object.awake(fromSnapshotEvents: change.snapshotEvent) }
    }
    processChanges()
    for change in changes { change.object.forgetUpdateWithoutDifference() }
  }

  /// Inserts the object of a change again, or deletes it, so that it is as present as before the event.
  private final func revertPresence(of change: UndoableChange) {
    if change.wasPresent { bringBack(change.object) } else { withdrawObject(change.object) }
  }

  /// Updates the relationships of all objects, so that they refer to the restored objects, which
  /// have other references now.
  private final func leadToReturned(_ returned: [NSManagedObject: ObjectReference]) {
    if returned.isEmpty { return }
    for object in returned.keys { object.renewReferences() }
    let replacements = Dictionary(returned.map { ($0.value, $0.key) }) { first, _ in first }
    for object in registry.allObjects() { object.renewReferences(replacements) }
  }

  /// Takes an object away as a deletion does, whose delete rules have been taken care of.
  final func withdrawObject(_ object: NSManagedObject) {
    guard object.state.contains(.registered), !object.isDeleted else { return }
    object.fireFaultIfNeeded()
    if !object.state.contains(.eventRecorded) { object.recordEventSnapshot() }
    object.state.formUnion([.deleted, .deletionPropagated])
    recordChange(of: object)
  }

  /// Undoes a deletion. If the deletion was saved already, the object is inserted as a new one.
  final func bringBack(_ object: NSManagedObject) {
    if object.state.contains(.registered) {
      guard object.isDeleted else { return }
      if !object.state.contains(.eventRecorded) { object.recordEventSnapshot() }
      object.state.subtract([.deleted, .deletionPropagated])
    } else {
      object.becomeNew(in: registry)
      registry.add(object)
    }
    recordChange(of: object)
  }
}

extension NSManagedObject {
  /// Makes an object that was deleted for good one that has never been saved, with the values that it has.
  fileprivate final func becomeNew(in registry: ObjectRegistry) {
    self.registry = registry
    key = TemporaryKey.next()
    store = ObjectReference.noStore
    detachRow()
    currentRow.version = 0
    state.subtract([.inaccessible, .deleted, .deletionPropagated, .updated, .fault])
    state.formUnion([.registered, .inserted, .eventRecorded, .insertedInEvent])
    guard let extras else { return }
    extras.objectID = nil
    extras.committed = nil
    for case let relationship? in extras.toMany { relationship.countAllAsAdded() }
  }

  /// Has no one else see what is changed in the row of an object that is in no store any more.
  final func detachRow() { setRow(rowAtHand?.copy() ?? Row(layout: layout)) }

  /// Names the destinations by the references that they have now: they may have come back before the object did.
  fileprivate final func renewReferences() {
    for slot in layout.referenceSlots {
      guard let destination = extras?.destination(slot), let row = rowAtHand,
        case .reference(let reference) = row.value(slot), reference != destination.reference
      else { continue }
      renewReference(of: destination, slot: slot)
    }
  }

  /// Leads relationships to objects that had other references before.
  fileprivate final func renewReferences(_ replacements: [ObjectReference: NSManagedObject]) {
    guard let row = rowAtHand else { return }
    for slot in layout.referenceSlots {
      guard case .reference(let reference) = row.value(slot), let object = replacements[reference] else { continue }
      renewReference(of: object, slot: slot)
    }
  }

  /// It is the same object as before: what is undone next has it too.
  private final func renewReference(of destination: NSManagedObject, slot: Int) {
    writeReference(destination, slot: slot)
    guard let event = extras?.event, let row = event.row?.copy() else { return }
    row.set(.reference(destination.reference), slot: slot)
    extras?.event = EventSnapshot(state: event.state, row: row)
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
