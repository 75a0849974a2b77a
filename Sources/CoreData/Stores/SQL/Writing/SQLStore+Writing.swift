extension SQLStore {
  package func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
    let changed = metadataState.changed
    if changes.isEmpty, changed == nil { return try others() ?? .saved(permanentReferences: [:]) }
    var committed: StoreMetadata?
    // The other stores are saved only once, also when this store's transaction is retried.
    var othersAreSaved = false
    let outcome = try commit(changes, through: engine().connections) { session in
      committed = try changed.map { try session.write($0.changes.keys, of: $0.metadata) }
      if othersAreSaved { return nil }
      let outcome = try others()
      othersAreSaved = outcome == nil
      return outcome
    }
    if case .saved = outcome, let committed, let changed {
      metadataState.wereCommitted(committed, changes: changed.changes)
    }
    return outcome
  }

  /// Gives new objects their permanent references.
  ///
  /// - Parameter reserve: answers the first of so many keys that follow each other, for a root entity by its number in
  ///   the model.
  package func references(
    for objects: [NewObject],
    reserve: (_ count: Int, _ root: Int32) throws -> Int64
  ) throws -> [ObjectReference] {
    var counts: [Int32: Int] = [:]
    for object in objects { counts[object.layout.rootNumber, default: 0] += 1 }
    var next: [Int32: Int64] = [:]
    for (root, count) in counts { next[root] = try reserve(count, root) }
    return objects.map { object in
      let key = next[object.layout.rootNumber, default: 0]
      next[object.layout.rootNumber] = key + 1
      return ObjectReference(key: key, entity: object.layout.number, store: index)
    }
  }
}

/// Changes many objects at once, without handing them out.
extension SQLStore {
  /// Deletes the results of a query. Validation and delete rules are not run
  /// (<https://developer.apple.com/documentation/coredata/nsbatchdeleterequest>); relationships to deleted objects are
  /// cleared.
  package func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
    try deleteAll(deletion, through: engine().connections)
  }

  func deleteAll(_ deletion: BatchDeletion, through target: some SQLWriteTarget<Session>) throws
    -> BatchOutcome
  {
    try reading("The batch deletion failed") {
      try target.change(self, origin: deletion.query.origin) { try $0.delete(deletion) }
    }
  }

  package func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try insertAll(insertion, through: engine().connections)
  }

  package func insertAll(_ insertion: BatchInsertion, through target: some SQLWriteTarget<Session>) throws
    -> BatchOutcome
  {
    try reading("The batch insertion failed") {
      try target.change(self, origin: insertion.origin) { try $0.insert(insertion) }
    }
  }

  package func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
    try updateAll(update, through: engine().connections)
  }

  func updateAll(_ update: BatchUpdate, through target: some SQLWriteTarget<Session>) throws -> BatchOutcome {
    try reading("The batch update failed") {
      try target.change(self, origin: update.query.origin) { try $0.update(update) }
    }
  }
}
