import Foundation

extension NSManagedObjectContext {
  /// Does the steps of a save. A step that throws leaves the changes where they are.
  ///
  /// - Throws: the first failure to read that has not been thrown yet, or the error of the step that failed.
  final func saveChanges() throws {
    checkConfinement("save()")
    try throwReadFailure()
    if hasUnpropagatedDeletions { applyWaitingDeleteRules() }
    processChanges()
    // Without changes there may still be metadata of the stores to keep.
    guard hasChanges || channel != nil else { return }
    let channel = try connectedChannel()
    NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
    try callWillSave()
    let outcome = try observingSave { conflictCount in
      try validatePending()
      processChanges()
      return try StoreCall.begin {
        try whileParentIsHeld {
          pullReferences()
          return try commit(to: channel, conflictCount: &conflictCount)
        }
      }
    }
    finishSave(pending, permanent: outcome.permanent, transactions: outcome.transactions)
  }

  /// Does the work of a save, and reports it to the coordinator's monitor. The save of a child
  /// context is not reported, because its parent's save is.
  private final func observingSave(_ work: (inout Int) throws -> Committed) throws -> Committed {
    var conflictCount = 0
    guard let monitor = coordinatorSet?.monitoring.monitor else { return try work(&conflictCount) }
    let end = monitor.begin(StoreWork(kind: .save, entity: nil))
    var outcome = StoreWorkOutcome()
    defer {
      outcome.conflictCount = conflictCount
      end(outcome)
    }
    do {
      let committed = try work(&conflictCount)
      outcome.rowCount = pending.count
      return committed
    } catch {
      outcome.error = error
      throw error
    }
  }

  private final func validatePending() throws {
    do {
      try validate(pending)
    } catch {
      // The cause of the invalid state may be a value that could not be read.
      try throwReadFailure()
      throw error
    }
  }

  /// References cannot change between the making of a change set and its commit while the parent is held.
  private final func whileParentIsHeld<Result>(_ work: () throws -> Result) throws -> Result {
    guard let parentSet else { return try work() }
    return try parentSet.queue.sync(work)
  }

  /// Tells all objects of the save, and those again that change by that.
  private final func callWillSave() throws {
    var untold = pending
    for _ in 0..<Self.largestNumberOfWillSaveRounds {
      for object in untold where object.hasChanges { object.willSave() }
      untold = processChanges()
      if untold.isEmpty { return }
    }
    throw CocoaError.coreData(
      NSCoreDataError,
      message: """
        willSave() or an observer changes objects again each time it is called, \
        \(Self.largestNumberOfWillSaveRounds) times by now (\(untold.prefix(3).map { $0.describeIdentity() }.joined(separator: ", "))); \
        compare the value with the one to be set first, or set primitive values there.
        """,
      userInfo: [NSAffectedObjectsErrorKey: Array(untold)]
    )
  }

  private static let largestNumberOfWillSaveRounds = 1000

  /// The references that new objects got, and the numbers of the transactions in the stores' histories.
  private typealias Committed = (permanent: [Int64: ObjectReference], transactions: [String: Int64])

  /// The outcome of one attempt to save.
  private enum Attempt {
    case committed(Committed)
    /// The objects of the save were in conflict with each other.
    case settledAmongObjects
    /// The save conflicted with changes that another writer has saved, about these objects or about unique values.
    case settledWithOthers([ConflictedObject])
  }

  /// Hands the changes on until no conflict is left.
  ///
  /// A save that was in conflict with another writer is tried once more while it holds the write locks of the stores.
  /// Without the locks, another writer could conflict again and again, and the save would never end. The relationships
  /// of the objects in conflict are read again under the locks, because the stores do not change meanwhile.
  ///
  /// - Parameter conflictCount: counts the conflicts and the violated constraints.
  private final func commit(to channel: any ObjectChannel, conflictCount: inout Int) throws -> Committed {
    for _ in 0..<Self.largestNumberOfTries {
      let attempt = try attempt(through: channel, conflictCount: &conflictCount)
      if case .committed(let committed) = attempt { return committed }
      processChanges()
      if case .settledWithOthers(let conflicts) = attempt {
        return try commitWhileLocked(channel, conflicts: conflicts, conflictCount: &conflictCount)
      }
    }
    throw Self.unsettled
  }

  /// - Parameter conflicts: the objects that were in conflict before the stores were locked.
  private final func commitWhileLocked(
    _ channel: any ObjectChannel,
    conflicts: [ConflictedObject],
    conflictCount: inout Int
  ) throws -> Committed {
    let outcome = try channel.whileLocked(Set(pending.map(\.store))) { locked in
      // Conflicts are resolved with the rows that the store has under its lock.
      let outer = self.channel
      self.channel = locked
      defer { self.channel = outer }
      try reconcile(conflicts)
      for _ in 1..<Self.largestNumberOfTries {
        let attempt = try attempt(through: locked, conflictCount: &conflictCount)
        if case .committed(let committed) = attempt {
          return .saved(permanentReferences: committed.permanent, transactions: committed.transactions)
        }
        processChanges()
        if case .settledWithOthers(let conflicts) = attempt { try reconcile(conflicts) }
      }
      throw Self.unsettled
    }
    guard case .saved(let permanent, let transactions) = outcome else { throw Self.unsettled }
    return (permanent, transactions)
  }

  private final func reconcile(_ conflicts: [ConflictedObject]) throws {
    if conflicts.isEmpty { return }
    var reconciliation = ConflictReconciliation(conflicts, in: self)
    try reconciliation.run()
  }

  private static let largestNumberOfTries = 20

  private static let unsettled = CocoaError.coreData(
    NSManagedObjectMergeError,
    message: """
      the conflicts of the save came back \(largestNumberOfTries) times: the merge policy does not settle them, or the \
      stores cannot keep others from writing the same objects again and again; call super in the policy, or try later.
      """
  )

  private final func attempt(through channel: any ObjectChannel, conflictCount: inout Int) throws -> Attempt {
    if parentSet == nil, try resolveConflictsAmongPending() {
      conflictCount += 1
      return .settledAmongObjects
    }
    let moved = try conflictsOfWatched()
    if !moved.isEmpty {
      conflictCount += moved.count
      try resolve(moved)
      watched.removeAll { object in moved.contains { $0.reference == object.reference } }
    }
    let changes = changeSet(of: pending)
    // Data that the changes depend on could not be read: for delete rules, for example, or the
    // destinations of an ordered relationship.
    try throwReadFailure()
    switch try channel.commit(changes) {
    case .saved(let permanent, let transactions): return .committed((permanent, transactions))
    case .conflicts(let conflicts):
      conflictCount += conflicts.count
      return .settledWithOthers(try resolve(conflicts))
    case .violations(let violations):
      conflictCount += violations.count
      try resolve(violations)
      return .settledWithOthers([])
    }
  }

  private final func finishSave(
    _ changed: ContiguousArray<NSManagedObject>,
    permanent: [Int64: ObjectReference],
    transactions: [String: Int64]
  ) {
    let saved = SavedObjects(changed, setsOfEvent: pendingForEvent.isEmpty ? setsOfEvent : nil)
    assignReferences(permanent)
    refreshDerivedValues(of: changed)
    advanceQueryGeneration()
    forgetPending()
    watched = []
    let countsVersions = parentSet == nil
    for object in changed { object.becomeSaved(countsVersions: countsVersions) }
    for object in saved.deleted { leave(object) }
    for objects in [saved.inserted, saved.updated, saved.deleted] {
      for object in objects { object.didSave() }
    }
    if let transaction = channel as? any StoreTransaction {
      transaction.log.add(TransactionSave(references: saved.references, history: transactions))
    } else {
      saved.post(from: self, references: saved.references, transactions: transactions)
      forwardSave(of: saved.references)
    }
    // An undo manager restores the deleted objects with their relationships.
    if undoManager == nil { for object in saved.deleted { object.endRelationships() } }
  }

  /// Notifies the other contexts of a save within a transaction that is committed now.
  final func publish(_ save: TransactionSave) {
    let saved = SavedObjects(
      inserted: save.references.inserted.map(object(for:)),
      updated: save.references.updated.map(object(for:)),
      deleted: save.references.deleted.map(object(for:))
    )
    saved.post(from: self, references: save.references, transactions: save.history)
    forwardSave(of: save.references)
  }

  /// Derived attributes are computed where the changes are stored; the objects get what came out.
  private final func refreshDerivedValues(of changed: ContiguousArray<NSManagedObject>) {
    for object in changed where object.state.contains(.inChangeSet) && !object.layout.derivedSlots.isEmpty {
      do {
        guard let stored = try channel?.row(of: object.reference, layout: object.layout)?.row else { continue }
        let row = object.writableRow()
        for derived in object.layout.derivedSlots {
          object.announceChange(derived.slot)
          row.set(stored.value(derived.slot), slot: derived.slot)
        }
      } catch {
        recordReadFailure(error, of: object)
      }
    }
  }
}

extension NSManagedObject {
  /// Makes the object's present values and relationships the saved ones.
  final func becomeSaved(countsVersions: Bool) {
    if countsVersions, state.contains(.inChangeSet) { countVersion() }
    state.remove(.inChangeSet)
    state.subtract([.inserted, .updated, .deleted, .deletionPropagated])
    guard let extras else { return }
    extras.committed = nil
    for relationship in extras.toMany { relationship?.forgetChanges() }
  }

  /// Clears the relationships of an object that was deleted for good. The objects that were deleted
  /// with it refer back to it, and the reference cycle would keep all of them in memory.
  fileprivate final func endRelationships() {
    guard let extras else { return }
    extras.destinations.removeAll()
    extras.fetchedProperties.removeAll()
    for case let relationship? in extras.toMany { relationship.end() }
    for held in extras.orderedSets { held.set?.mirror([]) }
  }

  private final func countVersion() {
    guard let row = rowAtHand else { return }
    // Where only to-many relationships changed, the row may be shared with other contexts.
    let own = state.contains(.inserted) || extras?.committed != nil ? row : row.copy()
    own.version = Row.version(after: row.version)
    setRow(own)
  }
}

/// The objects of one save, as its notifications name them.
private struct SavedObjects {
  let inserted: [NSManagedObject]
  let updated: [NSManagedObject]
  let deleted: [NSManagedObject]
  /// The sets of objects in the notification of the event before the save.
  private let known: ChangedSets?

  init(inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject]) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    known = nil
  }

  /// - Parameter known: the sets of an event about all objects that are saved, if nothing has changed since that event.
  init(_ changed: ContiguousArray<NSManagedObject>, setsOfEvent known: ChangedSets?) {
    inserted = changed.filter { $0.isInserted }
    updated = changed.filter { $0.isUpdated }
    deleted = changed.filter { $0.isDeleted }
    self.known = known
  }

  /// The set of some of the objects: that of the event before, where it had as many of the same kind.
  private func set(of objects: [NSManagedObject], known: Set<NSManagedObject>?) -> Set<NSManagedObject> {
    if let known, known.count == objects.count { return known }
    return Set(objects)
  }

  var references: SavedReferences {
    SavedReferences(
      inserted: inserted.map(\.reference),
      updated: updated.map(\.reference),
      deleted: deleted.map(\.reference)
    )
  }

  /// The key, seen in notifications of Apple's framework, of the place in the history after a save.
  private static let historyTokenKey = "newChangeToken"

  func post(from context: NSManagedObjectContext, references: SavedReferences, transactions: [String: Int64]) {
    var objects: [AnyHashable: Any] = [:]
    if !transactions.isEmpty { objects[Self.historyTokenKey] = NSPersistentHistoryToken(numbers: transactions) }
    if references.isEverything { objects[NSInvalidatedAllObjectsKey] = [NSManagedObjectID]() }
    objects[NSManagedObjectContextQueryGenerationKey] = context.queryGenerationToken
    NSManagedObjectContext.add(set(of: inserted, known: known?.inserted), key: NSInsertedObjectsKey, to: &objects)
    NSManagedObjectContext.add(set(of: updated, known: known?.updated), key: NSUpdatedObjectsKey, to: &objects)
    NSManagedObjectContext.add(set(of: deleted, known: known?.deleted), key: NSDeletedObjectsKey, to: &objects)
    NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: context, userInfo: objects)
    var objectIDs: [AnyHashable: Any] = [:]
    if references.isEverything { objectIDs[NSInvalidatedAllObjectsKey] = [NSManagedObjectID]() }
    context.add(references.inserted, key: NSInsertedObjectIDsKey, to: &objectIDs)
    context.add(references.updated, key: NSUpdatedObjectIDsKey, to: &objectIDs)
    context.add(references.deleted, key: NSDeletedObjectIDsKey, to: &objectIDs)
    NotificationCenter.default.post(name: .NSManagedObjectContextDidSaveObjectIDs, object: context, userInfo: objectIDs)
  }
}
