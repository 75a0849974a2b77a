import Dispatch
import Foundation
import SQLiteDriver
import Synchronization

/// The state of a store at one time: a connection that stays in the transaction it read first.
///
/// In WAL mode other connections can write meanwhile, but the log cannot restart before the snapshot is released.
final class SQLiteSnapshot: PinnedSnapshot, SQLiteConnectionReader {
  let store: SQLiteStore
  let connection: SQLiteConnection
  private let states: SQLitePinnedSnapshots
  /// The reason for which the state was released while readers still used it.
  private let reason = Mutex<(any Error)?>(nil)
  private let number: Int
  private let promise: ImmutablePromise?
  /// Contexts that share a state read one after the other.
  private let semaphore: ReaderSemaphore
  private let readCount = Atomic(0)

  init(store: SQLiteStore, engine: SQLiteStore.Engine) throws {
    self.store = store
    states = engine.states
    number = states.reserveNumber()
    promise = engine.connections.promise
    semaphore = ReaderSemaphore(count: 1, timeout: engine.connections.timeout)
    connection = try engine.connections.openReader(holdingTransactions: true)
    try connection.use(Self.begin)
    states.register(self, number: number)
  }

  deinit {
    // There is no caller to report the error of a reading connection to.
    try? connection.close()
    states.release(number)
  }

  private static func begin(_ database: Database) throws {
    try database.execute(sql: "BEGIN DEFERRED TRANSACTION")
    // The first query begins the snapshot.
    try SQLiteQuery(SQLStatement(sql: "SELECT 1 FROM Z_METADATA"), in: database, isCached: false).run()
  }

  // MARK: - Reading

  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
    readCount.add(1, ordering: .relaxed)
    defer { readCount.subtract(1, ordering: .relaxed) }
    return try semaphore.with {
      try connection.use { database in
        // Checked here, where no other thread can close the connection.
        try requireHeld()
        return try ImmutablePromise.keeping(promise) { try database.endingWithCall(body) }
      }
    }
  }

  func requireHeld() throws { if let reason = self.reason.withLock({ $0 }) { throw reason } }

  // MARK: - Ending

  func end(_ reason: any Error) { self.reason.withLock { $0 = $0 ?? reason } }

  var isRead: Bool { readCount.load(ordering: .relaxed) > 0 }

  func whenIdle(_ action: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async { [connection] in connection.use { _ in action() } }
  }

  func interrupt() {
    end(StoreClosing())
    connection.interrupt()
  }

  func close() throws { try connection.close() }

  /// A state whose transaction begins when the whole log is in the file does not need the log, so that the next save
  /// can restart it. This state began while the previous one was still held. A program that pins one state after the
  /// other would never leave a gap, and its log would grow without a bound.
  func beginAnew() {
    guard states.canBeginAnew() else { return }
    do {
      try connection.use { database in
        try database.execute(sql: "COMMIT TRANSACTION")
        states.checkpoint()
        try Self.begin(database)
      }
      states.registerAnew(number)
    } catch {
      end(SQLiteFailure.error(error, file: store.file, doing: "The state of the store could not be kept"))
    }
  }
}
