#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// One change of a store, in one transaction: a save or a batch.
  final class PostgreSQLWriteSession {
    let store: PostgreSQLStore
    let engine: PostgreSQLStore.Engine
    let connection: PostgreSQLConnection
    /// The references of objects that are saved with others.
    let references: SQLReferences
    let derivation: PostgreSQLDerivation
    let longValues: PostgreSQLLongValues
    /// The transaction of the history that changes are written into; `nil` when the store keeps none.
    let history: PostgreSQLHistoryWriter?
    private let unnumberedHistory: PostgreSQLUnnumberedHistory?
    var reader: SQLReader { engine.reader(store.index) }
    var queries: PostgreSQLQueryConnection { PostgreSQLQueryConnection(connection: connection) }

    private init(
      store: PostgreSQLStore,
      engine: PostgreSQLStore.Engine,
      connection: PostgreSQLConnection,
      origin: ChangeOrigin,
      unnumberedHistory: PostgreSQLUnnumberedHistory?
    ) {
      self.store = store
      self.engine = engine
      self.connection = connection
      references = SQLReferences(schema: engine.schema, store: store.index)
      self.unnumberedHistory = unnumberedHistory
      longValues = PostgreSQLLongValues(engine: engine, connection: connection)
      derivation = PostgreSQLDerivation(engine: engine, connection: connection, longValues: longValues)
      history =
        engine.tracksHistory
        ? PostgreSQLHistoryWriter(tables: engine.history, connection: connection, origin: origin) : nil
    }

    /// Checks the store, has it changed and commits; or takes all of it back when one of these steps fails.
    ///
    /// - Parameters:
    ///   - target: the connections of the store, or a transaction that continues afterwards.
    ///   - origin: the author and the context that the history names.
    ///   - change: writes the change, in the transaction.
    /// - Throws: an error when the store is closed, may only be read or was migrated, or what `change` throws.
    static func run<Value>(
      in store: PostgreSQLStore,
      through target: some PostgreSQLWriteTarget,
      origin: ChangeOrigin = ChangeOrigin(),
      _ change: (PostgreSQLWriteSession) throws -> Value
    ) throws -> Value {
      let engine = try store.writableEngine()
      if target is PostgreSQLConnections { try engine.threads.requireNone() }
      var (isNews, entry): (Bool, PostgreSQLHistoryEntry?) = (false, nil)
      let value = try target.write(checkedBy: engine.guardian) { connection in
        let session = PostgreSQLWriteSession(
          store: store,
          engine: engine,
          connection: connection,
          origin: origin,
          unnumberedHistory: target.unnumberedHistory
        )
        let value = try change(session)
        try session.finish()
        try StoreCall.current?.check(waitingFor: StoreCall.aboutToCommit)
        // In a store with a history, a write that the history does not record is not announced.
        isNews = session.history.map { $0.number != nil } ?? true
        entry = session.history?.entry
        return value
      }
      if isNews { target.changesWereMade(in: engine, entry: entry) }
      return value
    }

    /// Computes the derived values, and ends the history's transaction. Called after all writes, and again by
    /// ``run(in:through:origin:_:)``.
    func finish() throws {
      try derivation.run()
      try history?.finish(unnumberedHistory)
    }

    func reserveKeys(_ count: Int, root: Int32) throws -> Int64 { try engine.reserveKeys(count, root: root) }
  }

  extension PostgreSQLWriteSession: SQLWriteSession {
    typealias Store = PostgreSQLStore

    func delete(_ deletion: BatchDeletion) throws -> BatchOutcome {
      try PostgreSQLBatchDeletion(deletion: deletion, session: self).run()
    }

    func insert(_ insertion: BatchInsertion) throws -> BatchOutcome {
      try PostgreSQLBatchInsertion(insertion: insertion, session: self).run()
    }

    func update(_ update: BatchUpdate) throws -> BatchOutcome {
      try PostgreSQLBatchUpdate(update: update, session: self).run()
    }

    func write(_ keys: Set<String>, of metadata: StoreMetadata) throws -> StoreMetadata {
      try metadata.write(keys, connection: connection, store: store.place)
    }
  }

  /// Notices that another program has migrated or replaced a store while it is open, and prevents that while a
  /// transaction writes.
  struct PostgreSQLSchemaGuard: Sendable {
    /// The identity of the store, when it was opened.
    let identifier: String
    /// The number that each migration counts up, when the store was opened.
    let modelNumber: Int64
    /// The number of the history's last transaction, when the store was opened without continuing it; `nil` where it
    /// is continued.
    let lastTransaction: Int64?
    /// The URL of the store.
    let store: URL
    /// The table of the metadata, with its schema.
    let metadata: String

    /// The lock that migrations hold while they change the tables of the store.
    let lock: PostgreSQLStoreLock

    /// The first statement of a transaction that writes, which blocks migrations until the transaction ends; empty
    /// where the query of the identity does so.
    ///
    /// It is a separate statement, because a statement that waits for the lock would read the state before the wait.
    func locking(_ capabilities: PostgreSQLCapabilities) -> [PostgreSQLStatement] {
      lock.shared(capabilities).map { [$0] } ?? []
    }

    /// Queries the number of the transaction, the checked metadata, and the time at which the transaction began.
    func question(_ capabilities: PostgreSQLCapabilities) -> PostgreSQLStatement {
      let tellsTransaction = capabilities[.transactionStatus]
      let number = tellsTransaction ? "pg_current_xact_id()::text" : "NULL::text"
      let time = tellsTransaction ? "extract(epoch FROM now())::text" : "NULL::text"
      return PostgreSQLStatement(
        sql: """
          SELECT \(number), model_number, \(time), (SELECT last_transaction FROM perennial_clock), uuid, \
          pg_backend_pid() FROM perennial_metadata\(lock.rowLock(capabilities))
          """,
        isCached: true
      )
    }

    /// - Parameters:
    ///   - result: the answer to the question.
    ///   - connection: the connection of the transaction.
    /// - Throws: an error with the remedy, when the store was replaced since it was opened, or the session does not
    ///   belong to the connection.
    func check(_ result: PostgreSQLResult, on connection: PostgreSQLConnection) throws {
      guard result.rowCount > 0, result.integer(0, column: 1) == modelNumber,
        result.text(0, column: 4) == identifier
      else { throw failure("nothing was saved") }
      if connection.enclosure == nil, result.integer(0, column: 5) != Int64(connection.processID) {
        throw StoreFailure.error(
          NSPersistentStoreSaveError,
          message: """
            \(store.absoluteString): another session of the server has got the transaction than that of the connection; \
            nothing was saved. \(PostgreSQLFailure.poolerRemedy)
            """,
          file: store
        )
      }
      guard let lastTransaction, let number = result.integer(0, column: 3), number > lastTransaction else { return }
      throw StoreFailure.error(
        NSPersistentStoreSaveError,
        message: """
          \(store.absoluteString) has got a history by another program since it was opened, and would have a gap; \
          nothing was saved. Open it with the option NSPersistentHistoryTrackingKey.
          """,
        file: store
      )
    }

    /// Queries the store's identity in a reading transaction, for any search path.
    var identityQuestion: PostgreSQLStatement {
      PostgreSQLStatement(sql: "SELECT uuid FROM \(metadata)", isCached: true)
    }

    /// - Parameter result: the answer to ``identityQuestion``.
    /// - Throws: an error with the remedy, when another store is there.
    func checkIdentity(_ result: PostgreSQLResult) throws {
      guard result.rowCount > 0, result.text(0, column: 0) == identifier else {
        throw failure("what was asked for cannot be read any more")
      }
    }

    /// The error that explains a failed read when the store is not the one that was opened; `nil` if it is, or if
    /// that cannot be determined.
    func explanation(of error: PostgreSQLError, connections: PostgreSQLConnections) -> (any Error)? {
      var isSame = false
      do {
        let found = try connections.runAlone(SQLStatement(sql: "SELECT model_number, uuid FROM \(metadata)"))
        isSame =
          found.rowCount > 0 && found.integer(0, column: 0) == modelNumber
          && found.text(0, column: 1) == identifier
      } catch {
        guard (error as? PostgreSQLError)?.isOfSchema == true else { return nil }
      }
      return isSame ? nil : failure("what was asked for cannot be read any more", cause: error)
    }

    private func failure(_ consequence: String, cause: PostgreSQLError? = nil) -> any Error {
      StoreFailure.error(
        NSPersistentStoreIncompatibleSchemaError,
        message: """
          \(store.absoluteString) was migrated, replaced or emptied by another program since it was opened; \
          \(consequence). Remove it from the coordinator and add it again, with the model that it has now.
          """,
        file: store,
        details: cause.map { [PostgreSQLFailure.stateKey: $0.state, NSUnderlyingErrorKey: $0] } ?? [:]
      )
    }
  }

  extension PostgreSQLError {
    /// True when the server lacks a table, a column, a schema or a function, or has one of another type.
    var isOfSchema: Bool { ["42P01", "42703", "42883", "42804", "3F000", "0A000"].contains(state) }
  }
#endif
