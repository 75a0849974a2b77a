#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  /// A transaction of many saves: the channel of a context that reads what it has written, which
  /// nobody else sees yet.
  final class PostgreSQLTransaction: StoreTransaction, PostgreSQLConnectionReader, PostgreSQLWriteTarget {
    let store: PostgreSQLStore
    private let connection: PostgreSQLConnection
    var log = TransactionLog()
    /// True while a change is written, also where a handler of it is asked.
    private var isWriting = false
    /// True when others are to be told of what was written, once it is committed.
    fileprivate var isNews = false

    fileprivate init(_ store: PostgreSQLStore, _ connection: PostgreSQLConnection) {
      self.store = store
      self.connection = connection
    }

    // MARK: - Reading

    func readOnce<Value>(_ body: (PostgreSQLQueryConnection) throws -> Value) throws -> Value {
      try body(PostgreSQLQueryConnection(connection: connection))
    }

    // MARK: - Writing

    /// Each write is a savepoint, so that one that fails leaves those before it. The transaction has
    /// been checked when it began.
    func write<Value>(
      checkedBy guardian: PostgreSQLSchemaGuard,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      if isWriting { throw WriteTurns.isInTransaction }
      isWriting = true
      defer { isWriting = false }
      try connection.run("SAVEPOINT change")
      do {
        let value = try body(connection)
        try connection.run("RELEASE SAVEPOINT change")
        return value
      } catch {
        if connection.isUsable { _ = try? connection.run("ROLLBACK TO SAVEPOINT change") }
        throw error
      }
    }

    func changesWereMade(in engine: PostgreSQLStore.Engine) { isNews = true }

    func commit(_ changes: ChangeSet) throws -> CommitOutcome {
      if changes.isEmpty { return .saved(permanentReferences: [:]) }
      return try store.commit(changes, through: self) { _ in nil }
    }

    func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
      try store.permanentReferences(for: objects)
    }

    func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
      try store.deleteAll(deletion, through: self)
    }

    func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
      try store.insertAll(insertion, through: self)
    }

    func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
      try store.updateAll(update, through: self)
    }

    /// Takes over the metadata as they are now, which others may have changed.
    fileprivate func readMetadata() throws {
      let metadata = try StoreMetadata.read(connection, store: store.place)
      if let metadata { store.metadataState.wereRead(metadata) }
    }

    /// Called at the end, before the transaction is committed.
    fileprivate func writeMetadata() throws -> (StoreMetadata, StoreMetadataState.Changes)? {
      guard let changed = store.metadataState.changed else { return nil }
      let committed = try changed.metadata.write(changed.changes.keys, connection, store: store.place)
      return (committed, changed.changes)
    }
  }

  extension PostgreSQLStore: TransactionalStore {
    func transaction<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
      let engine = try writableEngine()
      var committed: (StoreMetadata, StoreMetadataState.Changes)?
      var isNews = false
      do {
        let value = try engine.threads.inside {
          try engine.connections.write(checkedBy: engine.guardian) { connection in
            let transaction = PostgreSQLTransaction(self, connection)
            try transaction.readMetadata()
            let value = try body(transaction)
            committed = try transaction.writeMetadata()
            isNews = transaction.isNews || (committed != nil && !engine.tracksHistory)
            try StoreCall.current?.check(waitingFor: StoreCall.aboutToCommit)
            return value
          }
        }
        if isNews { engine.changesWereCommitted() }
        if let (metadata, changes) = committed { metadataState.wereCommitted(metadata, changes) }
        return value
      } catch {
        // Errors of the program's own stay as they are.
        let isOfStore = error is PostgreSQLError || error is StoreCallEnded
        throw isOfStore
          ? PostgreSQLFailure.error(error, store: place, doing: "The transaction failed") : error
      }
    }
  }
#endif
