#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Synchronization

  /// A snapshot of a store: an open transaction on a connection of its own.
  ///
  /// When a second thread reads the state at the same time, it gets a connection of the store, whose transaction
  /// imports this snapshot: <https://www.postgresql.org/docs/current/sql-set-transaction.html>. If the server
  /// does not support that, one thread reads after the other.
  final class PostgreSQLSnapshot: PinnedSnapshot, SQLSourceReader, SQLReadSource, @unchecked Sendable {
    // The thread that holds the permit uses the connection; the rest is immutable or guarded by locks.

    private struct Reads {
      var count = 0
      /// Called after the last read.
      var waiting: [@Sendable () -> Void] = []
    }

    let store: PostgreSQLStore
    private let states: PostgreSQLPinnedSnapshots
    private let number: Int
    let connection: PostgreSQLConnection
    /// The name by which other transactions import the snapshot; `nil` where they cannot.
    private let name: String?
    /// Its one permit belongs to the thread that reads on the connection.
    private let semaphore: ReaderSemaphore
    private let reads = Mutex(Reads())
    /// The reason for which the state was released while readers still used it.
    private let reason = Mutex<(any Error)?>(nil)
    private let isClosed = Mutex(false)

    init(store: PostgreSQLStore, engine: PostgreSQLStore.Engine) throws {
      self.store = store
      states = engine.states
      number = states.reserveNumber()
      let timeout = engine.connections.timeout
      semaphore = ReaderSemaphore(count: 1, timeout: timeout) { [url = engine.url] seconds in
        StoreFailure.error(
          NSPersistentStoreTimeoutError,
          message: """
            \(url.absoluteString): others have been reading the same query generation for \(seconds) seconds; try again \
            later, or give each context a generation of its own.
            """,
          file: url
        )
      }
      let limit = StoreCall.limit(timeout: timeout)
      connection = try states.lend(until: limit)
      do {
        name = try Self.begin(connection, engine: engine, exportsSnapshot: states.exportsSnapshots)
        // That was the time for its beginning; it is read for longer.
        connection.deadline = nil
      } catch {
        states.giveBack(connection)
        throw error
      }
      states.register(self, number: number)
    }

    deinit {
      // The last reader has finished.
      if !isClosed.withLock({ $0 }) { states.giveBack(connection) }
      states.release(number)
    }

    /// The savepoint to which a failed read rolls back, because an aborted transaction would end the snapshot.
    private static let savepoint = "state"

    private static func begin(
      _ connection: PostgreSQLConnection,
      engine: PostgreSQLStore.Engine,
      exportsSnapshot: Bool
    ) throws -> String? {
      let schema = engine.connections.address.schema
      // The first query takes the snapshot.
      let query = """
        SELECT uuid, set_config('search_path', $1::text, true), \
        set_config('idle_in_transaction_session_timeout', '0', true)\
        \(exportsSnapshot ? ", pg_export_snapshot()" : "") \
        FROM \(engine.connections.name(of: PostgreSQLSystemTables.metadata))
        """
      let results = try connection.run([
        PostgreSQLStatement(sql: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        PostgreSQLStatement(sql: query, values: [.text(PostgreSQLConnection.identifier(schema))]),
        PostgreSQLStatement(sql: "SAVEPOINT \(savepoint)"),
      ])
      try engine.guardian.checkIdentity(results[1])
      return exportsSnapshot ? results[1].text(0, column: 3) : nil
    }

    // MARK: - Reading

    func readOnce<Value>(_ body: (PostgreSQLQueryConnection) throws -> Value) throws -> Value {
      reads.withLock { $0.count += 1 }
      defer { endRead() }
      guard let name else { return try semaphore.with { try readHere(body) } }
      if let value = try semaphore.ifFree({ try readHere(body) }) { return value }
      return try readElsewhere(name, body)
    }

    private func endRead() {
      let waiting = reads.withLock { reads in
        reads.count -= 1
        if reads.count > 0 { return [] as [@Sendable () -> Void] }
        defer { reads.waiting = [] }
        return reads.waiting
      }
      for action in waiting { action() }
    }

    /// Reads on the connection of the state.
    private func readHere<Value>(_ body: (PostgreSQLQueryConnection) throws -> Value) throws -> Value {
      // Checked here, where no other thread can close the connection.
      try requireHeld()
      do {
        return try connection.endingWithCall { try body(PostgreSQLQueryConnection(connection: connection)) }
      } catch {
        try keepTransaction()
        throw error
      }
    }

    /// Goes back to the state as it was before a statement that has failed.
    private func keepTransaction() throws {
      connection.deadline = .now + .seconds(5)
      defer { connection.deadline = nil }
      if connection.transaction == .failed { _ = try? connection.run("ROLLBACK TO SAVEPOINT \(Self.savepoint)") }
      if !connection.isUsable || connection.transaction != .open { try wasLost() }
    }

    /// Reads on a connection of the store's, in a transaction that takes over the snapshot.
    private func readElsewhere<Value>(
      _ name: String,
      _ body: (PostgreSQLQueryConnection) throws -> Value
    ) throws -> Value {
      try states.connections.read { other in
        try requireHeld()
        do {
          // Before any other query.
          try other.run("SET TRANSACTION SNAPSHOT '\(name)'")
        } catch let error as PostgreSQLError
          where !error.isConnectionLost && !error.isTimeout && !error.isCancelled
        {
          // It was released in the meantime, or its connection was lost.
          try requireHeld()
          try wasLost()
        }
        return try body(PostgreSQLQueryConnection(connection: other))
      }
    }

    private func wasLost() throws {
      end(states.error(.loss))
      try requireHeld()
    }

    func requireHeld() throws { if let reason = self.reason.withLock({ $0 }) { throw reason } }

    // MARK: - Ending

    func end(_ reason: any Error) { self.reason.withLock { $0 = $0 ?? reason } }

    var isRead: Bool { reads.withLock { $0.count } > 0 }

    func whenIdle(_ action: @escaping @Sendable () -> Void) {
      let isIdle = reads.withLock { reads in
        if reads.count > 0 { reads.waiting.append(action) }
        return reads.count == 0
      }
      if isIdle { action() }
    }

    func interrupt() {
      end(closing)
      connection.cancel()
    }

    func close() throws {
      end(closing)
      try semaphore.with {
        let wasClosed = isClosed.withLock { isClosed in
          defer { isClosed = true }
          return isClosed
        }
        if !wasClosed { states.giveBack(connection) }
      }
    }

    private var closing: any Error {
      StoreFailure.error(
        NSPersistentStoreOperationError,
        message:
          "The store \(store.place.absoluteString) is closed, and its query generations with it; add it again.",
        file: store.place
      )
    }
  }

  extension PostgreSQLConnection {
    /// Does work that ends with the call of this thread.
    fileprivate func endingWithCall<Value>(_ work: () throws -> Value) throws -> Value {
      guard let call = StoreCall.current, call.isBounded else { return try work() }
      deadline = call.deadline
      defer { deadline = nil }
      return try ending(with: call, work)
    }

    /// Has a call end the statements of some work when it ends itself.
    func ending<Value>(with call: StoreCall, _ work: () throws -> Value) rethrows -> Value {
      var number: Int?
      defer { if let number { call.forget(number) } }
      return try cancellable({ cancel in number = call.onEnd { _ in cancel() } }, work)
    }
  }
#endif
