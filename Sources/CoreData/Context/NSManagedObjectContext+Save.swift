import Foundation

extension NSManagedObjectContext {
  /// The steps of a save. What throws leaves the changes where they are.
  final func saveChanges() throws {
    if let readingFailure {
      self.readingFailure = nil
      throw readingFailure
    }
    processChanges()
    // Without changes there may still be metadata of the stores to keep.
    guard hasChanges || channel != nil else { return }
    let channel = try connectedChannel()
    NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
    announceSave()
    let changed = pending
    try validate(changed)
    let (permanent, transactions) = try whileParentIsHeld {
      adoptReferences()
      return try commit(changed, to: channel)
    }
    finishSave(changed, permanent: permanent, transactions: transactions)
  }

  /// References cannot change between the making of a change set and its commit while the parent is held.
  private final func whileParentIsHeld<Result>(_ work: () throws -> Result) throws -> Result {
    guard let parentSet else { return try work() }
    return try parentSet.queue.sync(work)
  }

  /// Tells all objects of the save, and those that change by that too.
  private final func announceSave() {
    var told: Set<ObjectIdentifier> = []
    var rounds = 0
    var untold = Array(pending)
    while !untold.isEmpty {
      for object in untold where object.hasChanges { object.willSave() }
      told.formUnion(untold.map(ObjectIdentifier.init))
      processChanges()
      untold = pending.count == told.count ? [] : pending.filter { !told.contains(ObjectIdentifier($0)) }
      rounds += 1
      if rounds > 1000 {
        fatalError("willSave() changes more objects each time it is called; stop it from that.")
      }
    }
  }

  private final func validate(_ changed: ContiguousArray<NSManagedObject>) throws {
    var failures: [NSError] = []
    for object in changed {
      do {
        switch object.state.intersection(.changed) {
        case let state where state.isSuperset(of: [.inserted, .deleted]): break
        case let state where state.contains(.deleted) && object.state.contains(.deletedElsewhere): break
        case let state where state.contains(.deleted): try object.validateForDelete()
        case let state where state.contains(.inserted): try object.validateForInsert()
        case let state where state.contains(.updated): try object.validateForUpdate()
        default: break
        }
      } catch {
        failures.append(error as NSError)
      }
    }
    if failures.count == 1 { throw failures[0] }
    if failures.count > 1 {
      throw CocoaError.coreData(
        NSValidationMultipleErrorsError,
        "\(failures.count) objects are not valid: "
          + failures.prefix(5).map(\.localizedDescription).joined(separator: " "),
        [NSDetailedErrorsKey: failures]
      )
    }
  }

  /// Hands the changes on until no conflict is left, and answers the references that new objects got and the numbers
  /// of the transactions in the stores' histories.
  private final func commit(
    _ changed: ContiguousArray<NSManagedObject>,
    to channel: any ObjectChannel
  ) throws -> (permanent: [Int64: ObjectReference], transactions: [String: Int64]) {
    for _ in 0..<Self.largestNumberOfTries {
      switch try channel.commit(changeSet(of: changed)) {
      case .saved(let permanent, let transactions): return (permanent, transactions)
      case .conflicts(let conflicts): try settle(conflicts)
      }
    }
    throw CocoaError.coreData(
      NSManagedObjectMergeError,
      "others change the same objects again and again; try later, or with fewer objects in one save."
    )
  }

  private static let largestNumberOfTries = 20

  private final func settle(_ conflicts: [VersionConflict]) throws {
    let conflicts = conflicts.map { conflict in
      NSMergeConflict(source: object(for: conflict.reference), persisted: conflict.persisted)
    }
    let policy = mergePolicy as? NSMergePolicy ?? .error
    try policy.resolve(mergeConflicts: conflicts)
  }

  private final func finishSave(
    _ changed: ContiguousArray<NSManagedObject>,
    permanent: [Int64: ObjectReference],
    transactions: [String: Int64]
  ) {
    let saved = SavedObjects(changed)
    adopt(permanent)
    advanceQueryGeneration()
    forgetPending()
    let countsVersions = parentSet == nil
    for object in changed { object.becomeSaved(countsVersions: countsVersions) }
    for object in saved.deleted { leave(object) }
    for object in saved.all { object.didSave() }
    saved.post(from: self, transactions: transactions)
    announceSave(of: saved.references)
  }
}

extension NSManagedObject {
  /// What the object has is what is kept from now on.
  final func becomeSaved(countsVersions: Bool) {
    if countsVersions, state.contains(.inChangeSet) { countVersion() }
    state.remove(.inChangeSet)
    state.subtract([.inserted, .updated, .deleted, .deletionPropagated])
    guard let extras else { return }
    extras.committed = nil
    for relationship in extras.toMany { relationship?.forgetChanges() }
  }

  private final func countVersion() {
    guard let row = rowAtHand else { return }
    // Where only to-many relationships changed, the row may be shared with other contexts.
    let own = state.contains(.inserted) || extras?.committed != nil ? row : row.copy()
    own.version = row.version + 1
    setRow(own)
  }
}

/// The objects of one save, as its notifications name them.
private struct SavedObjects {
  let inserted: [NSManagedObject]
  let updated: [NSManagedObject]
  let deleted: [NSManagedObject]

  init(_ changed: ContiguousArray<NSManagedObject>) {
    inserted = changed.filter(\.isInserted)
    updated = changed.filter(\.isUpdated)
    deleted = changed.filter(\.isDeleted)
  }

  var all: [NSManagedObject] { inserted + updated + deleted }

  var references: SavedReferences {
    SavedReferences(
      inserted: inserted.map(\.reference),
      updated: updated.map(\.reference),
      deleted: deleted.map(\.reference)
    )
  }

  /// The key, seen in notifications of Apple's framework, of the place in the history that a save led to.
  private static let historyTokenKey = "newChangeToken"

  func post(from context: NSManagedObjectContext, transactions: [String: Int64]) {
    var objects: [AnyHashable: Any] = [:]
    if !transactions.isEmpty {
      objects[Self.historyTokenKey] = NSPersistentHistoryToken(numbers: transactions)
    }
    objects[NSManagedObjectContextQueryGenerationKey] = context.queryGenerationToken
    NSManagedObjectContext.add(inserted, NSInsertedObjectsKey, to: &objects)
    NSManagedObjectContext.add(updated, NSUpdatedObjectsKey, to: &objects)
    NSManagedObjectContext.add(deleted, NSDeletedObjectsKey, to: &objects)
    NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: context, userInfo: objects)
    var objectIDs: [AnyHashable: Any] = [:]
    context.add(references.inserted, NSInsertedObjectIDsKey, to: &objectIDs)
    context.add(references.updated, NSUpdatedObjectIDsKey, to: &objectIDs)
    context.add(references.deleted, NSDeletedObjectIDsKey, to: &objectIDs)
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidSaveObjectIDs,
      object: context,
      userInfo: objectIDs
    )
  }
}
