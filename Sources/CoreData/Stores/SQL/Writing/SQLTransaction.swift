/// A transaction of many saves, or of one that may be retried: the channel of a context that reads its own
/// uncommitted writes.
package protocol SQLTransaction: StoreTransaction, SQLSourceReader, SQLWriteTarget
where Session == Store.Engine.Connections.Session {}

extension SQLTransaction {
  package func commit(_ changes: ChangeSet) throws -> CommitOutcome { try commit(changes, with: { nil }) }

  package func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
    if changes.isEmpty { return try others() ?? .saved(permanentReferences: [:]) }
    return try store.commit(changes, through: self) { _ in try others() }
  }

  package func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
    try store.deleteAll(deletion, through: self)
  }

  package func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try store.insertAll(insertion, through: self)
  }

  package func updateAll(_ update: BatchUpdate) throws -> BatchOutcome { try store.updateAll(update, through: self) }
}
