/// The change of one object in an event, with all that it takes to undo it.
///
/// It refers to the other objects and not to their references, which change when objects are saved.
struct UndoableChange {
  /// The presence of an object before an event.
  private enum Presence {
    /// It was not in the context, or in no store.
    case absent
    case present
    case deleted
  }

  private struct ToManyDifference {
    let index: Int
    let added: [NSManagedObject]
    let removed: [NSManagedObject]
    let order: [NSManagedObject]?
  }

  let object: NSManagedObject
  private let before: Presence
  private let wasDeletedByEvent: Bool
  private var values: [(slot: Int, value: StoredValue)] = []
  private var destinations: [(slot: Int, object: NSManagedObject?)] = []
  private var toMany: [ToManyDifference] = []

  /// The change of the current event; `nil` when there was none that counts.
  init?(_ object: NSManagedObject) {
    self.object = object
    let isDeleted = object.isDeleted
    if object.state.contains(.insertedInEvent) {
      if isDeleted { return nil }
      before = .absent
      wasDeletedByEvent = false
      return
    }
    guard let event = object.extras?.event else { return nil }
    before = event.state.contains(.deleted) ? .deleted : .present
    wasDeletedByEvent = isDeleted && before == .present
    if let row = event.row { addValues(of: row) }
    addRelationships()
    let isSame = (before == .deleted) == isDeleted
    if isSame, values.isEmpty, destinations.isEmpty, toMany.isEmpty { return nil }
  }

  private mutating func addValues(of old: Row) {
    guard let row = object.rowAtHand else { return }
    for slot in object.layout.slots.indices where !row.hasEqualValue(old, slot: slot) {
      if object.layout.kind(slot) != .reference {
        values.append((slot, old.value(slot)))
      } else if case .reference(let reference) = old.value(slot) {
        destinations.append((slot, object.registry.context?.object(for: reference)))
      } else {
        destinations.append((slot, nil))
      }
    }
  }

  private mutating func addRelationships() {
    for case (let index, let relationship?) in (object.extras?.toMany ?? []).enumerated()
    where relationship.hasChangesInEvent {
      toMany.append(
        ToManyDifference(
          index: index,
          added: relationship.addedInEvent.objects,
          removed: relationship.removedInEvent.objects,
          order: relationship.orderBeforeEvent
        )
      )
    }
  }

  // MARK: - Taking it back

  /// The event that `awake(fromSnapshotEvents:)` is given when the change is undone.
  var snapshotEvent: NSSnapshotEventType {
    if before == .absent { return .undoInsertion }
    return wasDeletedByEvent ? .undoDeletion : .undoUpdate
  }

  /// True when the object was in the context before the event and was not deleted.
  var wasPresent: Bool { before == .present }

  /// Brings back the values and the relationships; each side of a relationship has a change of its own.
  ///
  /// An object that is gone, as its deletion was saved, is changed too: it comes back with what it has then.
  func revertValues() {
    if !object.state.contains(.registered) { object.detachRow() }
    if !values.isEmpty {
      let row = object.writableRow()
      for (slot, value) in values {
        object.announceChange(slot)
        row.set(value, slot: slot)
      }
      object.recordChange()
    }
    for (slot, destination) in destinations { object.writeReference(destination, slot: slot) }
    for difference in toMany {
      for added in difference.added { object.withdraw(added, index: difference.index) }
      for removed in difference.removed { object.place(removed, index: difference.index) }
      if let order = difference.order { object.setOrder(order, index: difference.index) }
    }
  }
}
