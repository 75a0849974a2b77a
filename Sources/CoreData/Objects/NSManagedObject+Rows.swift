import Foundation

extension NSManagedObject {
  /// The values, fetched first if need be.
  @inline(__always)
  final func currentBase() -> UnsafeMutableRawPointer {
    if state.isDisjoint(with: [.fault, .guarded]), let base { return base }
    return fireFault()
  }

  /// The values, fetched first if need be, of which one is asked for.
  @inline(__always)
  final func currentBase(for slot: Int) -> UnsafeMutableRawPointer {
    if state.isDisjoint(with: [.fault, .guarded, .observable]), let base { return base }
    return followedBase(slot)
  }

  @inline(never)
  private final func followedBase(_ slot: Int) -> UnsafeMutableRawPointer {
    recordAccess(slot)
    return currentBase()
  }

  /// The values, if they are in memory.
  final var rowAtHand: Row? {
    guard let slab, let base else { return nil }
    return Row(slab: slab, base: base)
  }

  final var currentRow: Row {
    _ = currentBase()
    return rowAtHand ?? unreadRow()
  }

  /// A row that replaces the row of an object that could not be read. Its missing values are treated as unread wherever
  /// the row is copied to: a save never overwrites the store's values with them.
  private final func unreadRow() -> Row {
    let row = Row(layout: layout)
    let error =
      registry.context?.readingFailure
      ?? CocoaError.coreData(NSPersistentStoreOperationError, message: "\(describeIdentity()) could not be read.")
    for slot in layout.persistentSlots { row.fail(slot, failure: ValueFailure(error: error)) }
    return row
  }

  final func setRow(_ row: Row?) {
    slab = row?.slab
    base = row?.base
  }

  @inline(__always)
  final func fireFaultIfNeeded() {
    if !state.isDisjoint(with: [.fault, .guarded]) { _ = fireFault() }
  }

  /// Makes the object's values available. An object that cannot be read stays a fault, and the next access tries again.
  @inline(never)
  final func fireFault() -> UnsafeMutableRawPointer {
    checkConfinement()
    if !state.contains(.fault), let base { return base }
    let context = Unmanaged.passUnretained(registry)._withUnsafeGuaranteedRef { $0.context }
    // A value that was set after the object became a fault must not be overwritten by a fetch.
    if base == nil || extras?.committed == nil && context?.isStale(self) == true {
      if context == nil { ReadFailure(of: self).log() }
      guard let row = context.map({ $0.fetchRow(of: self) }) ?? Row(layout: layout) else {
        return base ?? layout.unreadValues
      }
      setRow(row)
    }
    state.remove(.fault)
    updateFailureState()
    context?.didFireFault(self)
    return base ?? layout.unreadValues
  }

  /// Enables the report of accesses to values that could not be read, if the row has such values.
  final func updateFailureState() {
    if slab?.hasFailures == true {
      state.insert(.hasFailures)
    } else {
      state.remove(.hasFailures)
    }
  }

  /// Called where a slot has no value: reports the failure if the store has a value that could not be read.
  @inline(__always)
  final func checkFailure(_ slot: Int) {
    if state.contains(.hasFailures) { reportFailure(slot) }
  }

  @inline(never)
  private final func reportFailure(_ slot: Int) {
    guard let failure = rowAtHand?.failure(slot) else { return }
    registry.context?.recordReadFailure(failure.error, of: self, key: layout.slots[slot].name)
  }

  /// A row that only this object uses; the original values are kept in another row.
  final func writableRow() -> Row {
    let row = currentRow
    if !state.contains(.eventRecorded) { recordEventSnapshot() }
    if state.contains(.inserted) || !state.contains(.registered) || extras?.committed != nil { return row }
    let copy = row.copy()
    ensureExtras().committed = row
    setRow(copy)
    updateFailureState()
    return copy
  }

  /// Records what the object is like before the first change of an event. Callers have found that
  /// it is not recorded yet.
  @inline(never)
  final func recordEventSnapshot() {
    guard state.contains(.registered), registry.context?.awakening == 0 else { return }
    state.insert(.eventRecorded)
    let row = rowAtHand
    // A row that is the object's own will be changed in place.
    let isOwn = state.contains(.inserted) || extras?.committed != nil
    ensureExtras().event = EventSnapshot(state: state.intersection(.changed), row: isOwn ? row?.copy() : row)
  }

  final func ensureExtras() -> ObjectExtras {
    if let extras { return extras }
    let new = ObjectExtras()
    extras = new
    return new
  }

  /// The values as they were fetched or last saved; `nil` for a new object.
  final var committedRow: Row? {
    if state.contains(.inserted) { return nil }
    return extras?.committed ?? rowAtHand
  }

  final func currentObjectID() -> NSManagedObjectID {
    // An ancestor's save may have made it permanent.
    if reference.isTemporary, let context = registry.context, context.parentSet != nil {
      context.assignPendingReferences()
    }
    if let objectID = extras?.objectID { return objectID }
    guard let model = registry.model ?? layout.entity.model else {
      fatalError("the model of entity \(layout.entity.name ?? "") is gone; keep it as long as its objects.")
    }
    let store = registry.coordinator?.store(at: store)
    let objectID = NSManagedObjectID(reference: reference, layout: layout, model: model, store: store)
    ensureExtras().objectID = objectID
    return objectID
  }

  /// Gives the object the reference that a store has for it.
  final func assignReference(_ permanent: ObjectReference) {
    if state.contains(.registered) {
      registry.remove(Unmanaged.passUnretained(self).toOpaque(), reference: reference, root: layout.rootNumber)
    }
    key = permanent.key
    store = permanent.store
    extras?.objectID = nil
    if state.contains(.registered) { registry.add(self) }
  }

  /// The slots whose values differ from the committed ones, transient ones left out.
  final func persistentChangedSlots() -> [Int] { changedSlots(includesTransient: false) }

  final func changedSlots(includesTransient: Bool) -> [Int] {
    guard let committed = extras?.committed, let row = rowAtHand else { return [] }
    if includesTransient { return row.slots(unlike: committed, among: layout.slots.indices) }
    return row.slots(unlike: committed, among: layout.persistentSlots)
  }

  final func recordChange() {
    if state.isSuperset(of: [.listed, .listedForEvent]), !state.isDisjoint(with: .changed) { return }
    registry.context?.recordChange(of: self)
  }
}
