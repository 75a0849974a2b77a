import Foundation

extension NSManagedObject {
  // MARK: - Since the last fetch or save

  /// The names of the persistent properties that a save would change.
  final func persistentChanges() -> [String] {
    persistentChangedSlots().map { layout.slots[$0].name } + changedRelationships(\.hasChanges)
  }

  /// Persistent properties that changed since the last fetch or save; of a new object all that have a value.
  ///
  /// An object has not changed if only its primitive values were set and no custom accessor announced the change.
  final func changedKeys() -> [String] {
    if !hasChanges { return [] }
    guard state.contains(.inserted) else { return persistentChanges() }
    return layout.persistentSlots.filter { rowAtHand?.hasValue($0) == true }.map { layout.slots[$0].name }
      + changedRelationships(\.hasChanges)
  }

  final func valuesCommitted(forKeys keys: [String]?) -> [String: Any] {
    fireFaultIfNeeded()
    if state.contains(.inserted) { return [:] }
    var values: [String: Any] = [:]
    for key in keys ?? Array(layout.places.keys) {
      switch layout.places[key] {
      case .slot(let slot) where !layout.slots[slot].isTransient:
        values[key] = committedRow.flatMap { publicValue($0.value(slot), slot: slot) } ?? NSNull()
      case .toMany(let index) where !layout.toMany[index].relationship.isTransient:
        values[key] = committedMembers(index)
      default: continue
      }
    }
    return values
  }

  /// The destinations of a to-many relationship as they were fetched or last saved: an `NSSet` or `NSOrderedSet`.
  private final func committedMembers(_ index: Int) -> Any {
    let state = loadedState(index)
    if layout.toMany[index].isOrdered {
      return NSOrderedSet(array: state.orderBeforeSave ?? state.members?.objects ?? [])
    }
    let unchanged = (state.members?.objects ?? []).filter { !state.added.contains($0) }
    return NSSet(array: unchanged + state.removed.objects)
  }

  // MARK: - Since changes were last processed

  /// The persistent properties that changed since the context last posted its changes.
  final func keysChangedInEvent() -> [String] {
    if state.contains(.insertedInEvent) { return changedKeys() }
    guard let event = extras?.event, let row = rowAtHand else { return [] }
    let slots = layout.persistentSlots.filter { slot in
      event.row.map { !row.hasEqualValue($0, slot: slot) } ?? row.hasValue(slot)
    }
    return slots.map { layout.slots[$0].name } + changedRelationships(\.hasChangesInEvent)
  }

  /// The values that these properties had before the context last posted its changes: `NSNull` for
  /// a property without a value.
  final func valuesBeforeEvent() -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keysChangedInEvent() { values[key] = valueBeforeEvent(forKey: key) ?? NSNull() }
    return values
  }

  private final func valueBeforeEvent(forKey key: String) -> Any? {
    if state.contains(.insertedInEvent) { return nil }
    switch layout.places[key] {
    case .slot(let slot)?: return extras?.event?.row.flatMap { publicValue($0.value(slot), slot: slot) }
    case .toMany(let index)?: return membersBeforeEvent(index)
    case nil: return nil
    }
  }

  /// The destinations of a to-many relationship before the changes that have not been processed yet:
  /// an `NSSet` or `NSOrderedSet`.
  private final func membersBeforeEvent(_ index: Int) -> Any {
    let state = loadedState(index)
    let present = state.members?.objects ?? []
    if layout.toMany[index].isOrdered { return NSOrderedSet(array: state.orderBeforeEvent ?? present) }
    return NSSet(array: present.filter { !state.addedInEvent.contains($0) } + state.removedInEvent.objects)
  }

  /// Forgets what the object was like before the changes that were just processed.
  final func endEvent() {
    state.subtract([.eventRecorded, .insertedInEvent])
    guard let extras else { return }
    extras.event = nil
    for relationship in extras.toMany { relationship?.endEvent() }
  }

  private final func changedRelationships(_ isChanged: (ToManyState) -> Bool) -> [String] {
    guard let extras, !extras.toMany.isEmpty else { return [] }
    return extras.toMany.enumerated().compactMap { index, relationship in
      guard let relationship, isChanged(relationship), !layout.toMany[index].relationship.isTransient else {
        return nil
      }
      return layout.toMany[index].name
    }
  }
}
