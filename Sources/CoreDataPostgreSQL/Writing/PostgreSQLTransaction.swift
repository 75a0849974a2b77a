#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// A transaction of many saves, or of one that may be retried: the channel of a context that reads its own
  /// uncommitted writes.
  final class PostgreSQLTransaction: SQLTransaction, SQLReadSource, PostgreSQLWriteTarget {
    typealias Session = PostgreSQLWriteSession

    let store: PostgreSQLStore
    let connection: PostgreSQLConnection
    var log = TransactionLog()
    /// True while a change is written, also where a handler of it is asked.
    private var isWriting = false
    /// True when other programs are to be notified of the writes, after the commit.
    fileprivate var isNews = false
    private(set) var unnumberedHistory: PostgreSQLUnnumberedHistory? = PostgreSQLUnnumberedHistory()

    /// True where the rows that a save is in conflict about are locked until the transaction ends.
    private let locksConflicts: Bool

    fileprivate init(store: PostgreSQLStore, connection: PostgreSQLConnection, locksConflicts: Bool) {
      self.store = store
      self.connection = connection
      self.locksConflicts = locksConflicts
    }

    // MARK: - Reading

    func readOnce<Value>(_ body: (PostgreSQLQueryConnection) throws -> Value) throws -> Value {
      try body(PostgreSQLQueryConnection(connection: connection))
    }

    // MARK: - Writing

    /// Each write is a savepoint, so that a failed write leaves the earlier ones intact. The schema was checked when
    /// the transaction began.
    func write<Value>(
      checkedBy guardian: PostgreSQLSchemaGuard,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      if isWriting { throw PostgreSQLFailure.nestedWrite }
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

    func changesWereMade(in engine: PostgreSQLStore.Engine, entry: PostgreSQLHistoryEntry?) {
      isNews = true
      if let entry { unnumberedHistory?.append(entry) }
    }

    func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
      if changes.isEmpty { return try others() ?? .saved(permanentReferences: [:]) }
      let outcome = try store.commit(changes, through: self) { _ in try others() }
      return locksConflicts ? try locked(outcome) : outcome
    }

    /// The conflicts of a save, with the rows read after they were locked. Rolling back to the savepoint has released
    /// the locks that the save acquired: <https://www.postgresql.org/docs/current/explicit-locking.html>.
    private func locked(_ outcome: CommitOutcome) throws -> CommitOutcome {
      switch outcome {
      case .saved: return outcome
      case .conflicts(let conflicts):
        let rows = try lockedRows(conflicts.map(\.reference))
        return .conflicts(
          conflicts.map { VersionConflict(reference: $0.reference, persisted: rows[$0.reference]?.row) }
        )
      case .violations(let violations):
        let rows = try lockedRows(violations.compactMap(\.holder))
        return .violations(
          violations.compactMap { violation in
            guard let holder = violation.holder else { return violation }
            // A deleted row has released its values, so the next attempt succeeds.
            guard let row = rows[holder] else { return nil }
            return ConstraintViolation(
              reference: violation.reference,
              constraint: violation.constraint,
              holder: row.reference,
              persisted: row.row
            )
          }
        )
      }
    }

    /// Locks rows in the order of their keys, and reads them.
    private func lockedRows(_ references: [ObjectReference]) throws -> [ObjectReference: FetchedRow] {
      let reader = try store.engine().reader(store.index)
      var rows: [ObjectReference: FetchedRow] = [:]
      for (number, references) in Dictionary(grouping: references, by: \.entity) {
        guard let entity = reader.schema.entity(modelNumber: number) else { continue }
        var query = FetchQuery(entity: entity.entity)
        query.keys = references.map(\.key)
        query.after = .min
        let fetch = try SQLFetch(query, schema: reader.schema, store: store.index, dialect: reader.dialect)
        var statement = try fetch.rows(fetch.keyColumns)
        statement.sql += reader.dialect.rowLock(fetch.scope.alias)
        try connection.run(statement)
        for reference in references { rows[reference] = try row(of: reference, layout: entity.layout) }
      }
      return rows
    }

    func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
      try store.permanentReferences(for: objects)
    }

    /// Reads the current metadata, which other programs may have changed.
    fileprivate func readMetadata() throws {
      let metadata = try StoreMetadata.read(connection, store: store.place)
      if let metadata { store.metadataState.wereRead(metadata) }
    }

    /// Called at the end, last of all before the transaction is committed.
    fileprivate func numberHistory() throws {
      guard let base = try unnumberedHistory?.write(connection) else { return }
      log.number(store.identifier, after: base)
    }

    /// Called at the end, before the transaction is committed.
    fileprivate func writeMetadata() throws -> (StoreMetadata, StoreMetadataState.Changes)? {
      guard let changed = store.metadataState.changed else { return nil }
      let committed = try changed.metadata.write(changed.changes.keys, connection: connection, store: store.place)
      return (committed, changed.changes)
    }
  }

  extension PostgreSQLStore: TransactionalStore {
    func transaction<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
      try naming("The transaction failed") { try begun(locksConflicts: false) { try body($0) } }
    }

    /// Adds the store's name to its own errors. Errors of the application are passed through.
    private func naming<Value>(_ failing: String, _ work: () throws -> Value) throws -> Value {
      do {
        return try work()
      } catch {
        throw PostgreSQLFailure.errorOfStore(error, store: place, doing: failing)
      }
    }

    /// Does work in a transaction.
    ///
    /// - Parameter locksConflicts: true to lock the rows that a save conflicts with.
    private func begun<Value>(locksConflicts: Bool, _ body: (PostgreSQLTransaction) throws -> Value) throws -> Value {
      let engine = try writableEngine()
      var committed: (StoreMetadata, StoreMetadataState.Changes)?
      var isNews = false
      let value = try engine.threads.inside {
        try engine.connections.write(checkedBy: engine.guardian) { connection in
          let transaction = PostgreSQLTransaction(store: self, connection: connection, locksConflicts: locksConflicts)
          try transaction.readMetadata()
          let value = try body(transaction)
          committed = try transaction.writeMetadata()
          try transaction.numberHistory()
          isNews = transaction.isNews || (committed != nil && !engine.tracksHistory)
          try StoreCall.current?.check(waitingFor: StoreCall.aboutToCommit)
          return value
        }
      }
      if isNews { engine.changesWereCommitted() }
      if let (metadata, changes) = committed { metadataState.wereCommitted(metadata, changes: changes) }
      return value
    }

    /// Other writers of the same rows wait for the rows that the save conflicts with. A deadlock with them ends the
    /// transaction. The save is then repeated, finds their commits, and continues with these.
    func whileLocked(_ work: (any LockedStore) throws -> CommitOutcome) throws -> CommitOutcome {
      try naming("The save failed") {
        // The work's saves in other stores of the coordinator are committed and must not run twice.
        let hasOthers = (persistentStoreCoordinator?.persistentStores.count ?? 1) > 1
        var isSavedElsewhere = false
        return try writableEngine().connections.repeating(canRepeat: { !isSavedElsewhere }) {
          let (outcome, transaction) = try begun(locksConflicts: true) {
            transaction -> (CommitOutcome, PostgreSQLTransaction) in
            do {
              let outcome = try work(transaction)
              if case .saved(_, let numbers) = outcome {
                isSavedElsewhere = hasOthers
                transaction.log.add(TransactionSave(references: SavedReferences(), history: numbers))
              }
              return (outcome, transaction)
            } catch {
              // The error of the save, which names the store, contains the server's error.
              throw (error as NSError).userInfo[NSUnderlyingErrorKey] as? PostgreSQLError ?? error
            }
          }
          guard case .saved(let references, _) = outcome, let save = transaction.log.saves.last else { return outcome }
          return .saved(permanentReferences: references, transactions: save.history)
        }
      }
    }
  }
#endif
