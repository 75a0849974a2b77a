#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  /// A transaction of many saves: the channel of a context that reads what it has written, which
  /// nobody else sees yet.
  final class PostgreSQLTransaction: StoreTransaction, SQLReadSource, PostgreSQLWriteTarget {
    private let store: PostgreSQLStore
    let connection: PostgreSQLConnection
    var log = TransactionLog()
    /// True while a change is written, also where a handler of it is asked.
    private var isWriting = false

    fileprivate init(_ store: PostgreSQLStore, _ connection: PostgreSQLConnection) {
      self.store = store
      self.connection = connection
    }

    // MARK: - Reading

    func readOnce<Value>(_ body: (PostgreSQLQueryConnection) throws -> Value) throws -> Value {
      try body(PostgreSQLQueryConnection(connection: connection))
    }

    func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try store.fetch(query, from: self) }

    func count(_ query: FetchQuery) throws -> Int { try store.count(query, from: self) }

    func aggregate(_ query: AggregateQuery) throws -> AggregateRows? {
      try store.aggregate(query, from: self)
    }

    func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
      try store.row(of: reference, layout: layout, from: self)
    }

    func destinations(
      of relationship: Int,
      from reference: ObjectReference,
      layout: EntityLayout
    ) throws -> [ObjectReference] {
      try store.destinations(of: relationship, from: reference, layout: layout, from: self)
    }

    func destinations(
      of relationship: Int,
      fromEach references: [ObjectReference],
      layout: EntityLayout
    ) throws -> [[FetchedRow]] {
      try store.destinations(of: relationship, fromEach: references, layout: layout, from: self)
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
      do {
        let value = try engine.connections.write(checkedBy: engine.guardian) { connection in
          let transaction = PostgreSQLTransaction(self, connection)
          let value = try body(transaction)
          committed = try transaction.writeMetadata()
          try StoreCall.current?.check(waitingFor: StoreCall.aboutToCommit)
          return value
        }
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
