#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Synchronization

  /// The connections of a store: a bounded number, each of which reads or writes.
  ///
  /// Work is repeated until the store's timeout is over if it was ended, before its commit, by a lost connection, a
  /// server that is not ready, a deadlock or a serialization failure.
  final class PostgreSQLConnections: Sendable {
    let address: PostgreSQLAddress
    private let settings: PostgreSQLSettings
    /// The time to wait for connections, for other writers and for the server, in seconds.
    let timeout: TimeInterval
    let work = PostgreSQLWork()
    let outcomes = PostgreSQLOutcomes()
    let pool: PostgreSQLPool
    /// The connections for short transactions of callers that already have a connection. A pool of their own
    /// prevents these callers from waiting for each other.
    private let spare: PostgreSQLPool
    /// True once the server could be reached. Later connection failures are therefore temporary.
    private let wasReached = Atomic(false)
    private let monitored = Mutex(StoreMonitoring())

    /// The default number of connections of a store.
    static let defaultCount = 8

    /// - Throws: an error when the options or the address name a capability that there is not.
    init(_ address: PostgreSQLAddress, options: [AnyHashable: Any]?) throws {
      self.address = address
      timeout = StoreTimeout.seconds(in: options)
      let settings = PostgreSQLSettings(
        address: address,
        capabilities: try PostgreSQLCapabilities(address, options: options),
        timeout: timeout
      )
      self.settings = settings
      let count = (options?[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber)?.intValue
      func pool(_ count: Int) -> PostgreSQLPool {
        PostgreSQLPool(address, count: count) {
          ContextThreads.whileWaiting($0)
        } prepare: {
          try settings.prepare($0)
        }
      }
      self.pool = pool(max(1, count ?? Self.defaultCount))
      spare = pool(1)
    }

    /// The capabilities of the server that the store uses. If a connection detects a pooler, there are fewer.
    var capabilities: PostgreSQLCapabilities { settings.capabilities }

    /// The place of the monitor of the coordinator that the store is in.
    var monitoring: StoreMonitoring {
      get { monitored.withLock { $0 } }
      set { monitored.withLock { $0 = newValue } }
    }

    // MARK: - Reading

    /// Runs one query.
    ///
    /// - Parameter guardian: checks, in the round trip of the query, whether the store is still the one that was
    ///   opened.
    func readOnce<Value>(
      checkedBy guardian: PostgreSQLSchemaGuard,
      _ body: (PostgreSQLQueryConnection) throws -> Value
    ) throws -> Value {
      try work.during(.read) {
        try retrying(.read) {
          try with(pool, kind: .read) { try body(PostgreSQLQueryConnection(connection: $0, guardian: guardian)) }
        }
      }
    }

    /// Runs several queries that see the same state.
    ///
    /// - Parameters:
    ///   - guardian: checks, without an additional round trip, whether the store is still the one that was opened;
    ///     `nil` for a store that is not open, and where the body imports the snapshot of another transaction.
    ///   - canRepeat: false when the body has done something that must not be repeated.
    ///   - body: is called again where it fails on the way, unless that is said.
    func read<Value>(
      checkedBy guardian: PostgreSQLSchemaGuard? = nil,
      canRepeat: () -> Bool = { true },
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      try work.during(.read) {
        try retrying(.read, canRepeat: canRepeat) {
          try with(pool, kind: .read) { connection in
            try ending(connection) {
              try connection.beginReading(checkedBy: guardian)
              let value = try body(connection)
              try connection.run("COMMIT")
              return value
            }
          }
        }
      }
    }

    /// The schema-qualified name of a table of the store, for a statement outside a transaction.
    func name(of table: String) -> String {
      "\(PostgreSQLConnection.identifier(address.schema)).\(PostgreSQLConnection.identifier(table))"
    }

    /// Runs a statement as a transaction of its own, also while this thread has a connection. If the connection is
    /// lost, the statement may run twice. It must qualify its tables with their schema.
    func runAlone(_ statement: SQLStatement) throws -> PostgreSQLResult {
      try retrying(.read) { try with(spare, kind: .read) { try $0.run(statement) } }
    }

    // MARK: - Attempts

    /// Repeats work until it succeeds or the time is over. A failed attempt must not have committed anything.
    ///
    /// - Parameter canRepeat: false when the work cannot be repeated.
    func retrying<Value>(
      _ kind: PostgreSQLWork.Kind,
      canRepeat: () -> Bool = { true },
      _ attempt: () throws -> Value
    ) throws -> Value {
      var patience = PostgreSQLRetryBackoff(work: work, kind: kind, timeout: timeout)
      while true {
        do {
          return try attempt()
        } catch let error as PostgreSQLError where isPassing(error) && canRepeat() {
          if error.isReadOnly { pool.renew() }
          try patience.wait(after: error)
        }
      }
    }

    /// True when the cause of the error may be gone at the next attempt.
    func isPassing(_ error: PostgreSQLError) -> Bool {
      if error.wasRepeated || (error.isTimeout && !error.isConnectionRefused) { return false }
      if error.isSerializationFailure || error.isDeadlock || error.isConnectionLost { return true }
      // A server that follows another one was not connected to, unless it is to be so.
      if error.isReadOnly { return address.parameters["target_session_attrs"] == "read-write" }
      guard error.isConnectionRefused else { return false }
      return error.isServerNotReady
        || (wasReached.load(ordering: .relaxed) && !error.isRefusedForGood)
    }

    // MARK: - Connections

    /// Runs work on a connection, which ends with the call of this thread.
    func with<Value>(
      _ pool: PostgreSQLPool,
      kind: PostgreSQLWork.Kind,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      let current = StoreCall.current
      let call = current?.isBounded == true ? current : nil
      let connection = try lend(pool, kind: kind, call: call)
      defer { pool.giveBack(connection) }
      // The deadline so far was for waiting; the work itself has its own.
      connection.deadline = call?.deadline
      guard let call else { return try work.using(connection) { try body(connection) } }
      return try connection.ending(with: call) { try work.using(connection) { try body(connection) } }
    }

    private func lend(
      _ pool: PostgreSQLPool,
      kind: PostgreSQLWork.Kind,
      call: StoreCall?
    ) throws -> PostgreSQLConnection {
      var (number, wait): (Int?, Int?)
      defer {
        if let number { call?.forget(number) }
        if let wait { work.removeWait(wait) }
      }
      func lend() throws -> PostgreSQLConnection {
        try pool.lend(deadline: StoreCall.limit(timeout: timeout)) { giveUp in
          number = call?.onEnd { _ in giveUp() }
          wait = self.work.addWait(kind, giveUp)
        }
      }
      do {
        let connection = try kind == .write ? monitoring.timing(.turn, lend) : lend()
        wasReached.store(true, ordering: .relaxed)
        return connection
      } catch let error as PostgreSQLError where error.isTimeout {
        if wait != nil { try work.check(kind) }
        try call?.check(waitingFor: "waiting for a connection to the server")
        throw error
      }
    }

    /// Runs work in a transaction, which is rolled back when the work fails.
    func ending<Value>(_ connection: PostgreSQLConnection, _ work: () throws -> Value) throws -> Value {
      do {
        return try work()
      } catch {
        // The pool throws away a connection that cannot do it.
        if connection.isUsable, connection.transaction != .none {
          connection.deadline = .now + Self.rollbackTime
          _ = try? connection.evenWhereCancelled { try connection.run("ROLLBACK") }
        }
        throw error
      }
    }

    private static let rollbackTime = Duration.seconds(5)

    func close() {
      work.refuse(.write)
      work.refuse(.read)
      pool.close()
      spare.close()
    }
  }

  extension PostgreSQLConnections: PostgreSQLWriteTarget {
    typealias Session = PostgreSQLWriteSession
  }

  /// The target of a store's writes: its connections, or a transaction of many saves.
  protocol PostgreSQLWriteTarget: SQLWriteTarget where Session == PostgreSQLWriteSession {
    /// Runs a write transaction, which is committed completely or not at all.
    func write<Value>(
      checkedBy guardian: PostgreSQLSchemaGuard,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value

    /// The history of a transaction of many saves, whose numbers are given at its end; `nil` elsewhere.
    var unnumberedHistory: PostgreSQLUnnumberedHistory? { get }

    /// Called when changes have been written that other programs are notified of after the commit.
    ///
    /// - Parameter entry: the history entry of the changes, which has no number yet.
    func changesWereMade(in engine: PostgreSQLStore.Engine, entry: PostgreSQLHistoryEntry?)
  }
#endif
