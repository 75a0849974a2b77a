extension NSManagedObjectContext {
  /// - Returns: true when the refresh can have an effect. An unused fault has nothing to refresh,
  ///   unless fetched results follow its entity.
  @discardableResult
  final func refreshObject(_ object: NSManagedObject, mergesChanges: Bool) -> Bool {
    checkConfinement("refresh(_:mergeChanges:)")
    guard object.registry === registry else { return false }
    if object.state.contains(.inserted) { return !mergesChanges && dropValues(ofNew: object) }
    let isNoticed = !object.isFault || object.hasChanges || object.hasReadRelationships || isFollowed(object.layout)
    if mergesChanges, object.hasChanges {
      refreshUnderChanges(object)
    } else {
      if object.state.contains(.observable) { announceRefresh(of: object) }
      object.forgetChanges(isAnnounced: true)
      object.turnIntoFault(isAnnounced: true)
    }
    object.refillOrderedSets()
    if object.hasChanges {
      recordChange(of: object)
    } else if isNoticed {
      arrived.refreshed.append(object)
      scheduleProcessing()
    }
    return isNoticed
  }

  private final func announceRefresh(of object: NSManagedObject) {
    guard let channel = try? connectedChannel() else { return object.announceChanges() }
    object.announceRefresh(channel)
  }

  /// Turns an object that was never saved into a fault. The fault's values are the initial values
  /// of the object's entity.
  private final func dropValues(ofNew object: NSManagedObject) -> Bool {
    guard !object.isFault, !object.state.contains(.deleted) else { return false }
    object.turnIntoFault()
    object.setRow(object.layout.newRow())
    object.updateFailureState()
    object.refillOrderedSets()
    recordChange(of: object)
    return true
  }

  /// Refreshes the properties that this context has not changed. Transient values are kept, because no store has them.
  private final func refreshUnderChanges(_ object: NSManagedObject) {
    let row: Row
    do {
      guard let found = try connectedChannel().row(of: object.reference, layout: object.layout)?.row else { return }
      row = found
    } catch {
      recordReadFailure(error, of: object)
      return
    }
    object.rebase(.mergeByPropertyObjectTrumpMergePolicyType, on: row)
    object.forgetUnchangedDestinations()
    withoutRecordingChanges(of: object) { object.awake(fromSnapshotEvents: .refresh) }
  }

  /// Lets an object change itself without counting as changed: while it awakes.
  final func withoutRecordingChanges(of object: NSManagedObject, _ work: () -> Void) {
    let hadChanges = object.extras?.committed != nil
    awakening += 1
    work()
    awakening -= 1
    if !hadChanges { object.extras?.committed = nil }
  }

  /// Returns true when the values that were fetched for a fault are older than the context accepts.
  final func isStale(_ object: NSManagedObject) -> Bool {
    guard stalenessInterval >= 0, !object.state.contains(.inserted), let slab = object.slab else { return false }
    return slab.age >= stalenessInterval
  }
}

extension NSManagedObject {
  /// Drops the values: the next access fetches them again.
  /// - Parameter isAnnounced: true when observers of the object have already been notified of the change.
  final func turnIntoFault(isAnnounced: Bool = false) {
    if !isAnnounced { announceChanges() }
    guard !isFault else { return dropValues() }
    willTurnIntoFault()
    dropValues()
    state.insert(.fault)
    didTurnIntoFault()
  }

  /// A fault can have relationships that were read: that needs no values.
  private final func dropValues() {
    setRow(nil)
    extras?.destinations.removeAll()
    extras?.toMany.removeAll()
    extras?.fetchedProperties.removeAll()
  }

  /// True when destinations of a relationship are known without a fetch.
  fileprivate final var hasReadRelationships: Bool {
    guard let extras else { return false }
    return extras.destinations.contains { $0 != nil } || extras.toMany.contains { $0?.members != nil }
  }

  /// The values of transient attributes, by slot.
  final var transientValues: [(slot: Int, value: StoredValue)] {
    guard !layout.transientSlots.isEmpty, let row = rowAtHand else { return [] }
    return layout.transientSlots.filter(row.hasValue).map { ($0, row.value($0)) }
  }

  /// Drops the destinations of relationships, except those that were added or removed here, so that
  /// they are fetched again.
  fileprivate final func forgetUnchangedDestinations() {
    for case let relationship? in extras?.toMany ?? [] where !relationship.isReordered {
      relationship.members = nil
      relationship.answer = nil
    }
  }
}
