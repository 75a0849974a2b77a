import CSystemSQLite
import Files
import Foundation
import SQLiteDriver
import Synchronization

/// Shortens the write-ahead log of a store.
///
/// The commits of the store shorten it too when no connection reads it
/// (<https://www.sqlite.org/pragma.html#pragma_journal_size_limit>). This type serves a store that is not written
/// for a while, and a store with overlapping readers.
final class SQLiteLog: Sendable {
  /// The number of pages at which a commit copies the log into the file: twice SQLite's default, 8 MiB.
  ///
  /// Both files are synced then, while all writers wait. A save of a new object with relationships writes a third
  /// more pages than its rows alone would.
  static let checkpointPageCount = 2000

  /// Saves that are somewhat larger than the checkpoint interval, or that meet a reader, should not have to extend
  /// the log each time.
  static let defaultSizeLimit = 16 << 20

  private let connections: SQLiteConnections
  /// The connection of a checkpoint that is under way.
  private let current = Mutex<SQLiteConnection?>(nil)
  private let isClosed = Mutex(false)
  private let restarts = Mutex(SQLiteLogRestarts())
  /// The number of those of this process that read a file for long, at one state.
  private static let longReads = Mutex<[FileIdentity: Int]>([:])
  /// Held during a checkpoint.
  private let working = NSLock()

  init(_ connections: SQLiteConnections) { self.connections = connections }

  /// The number of bytes that SQLite leaves of its log when that begins anew; `nil` for any number.
  static func sizeLimit(_ pragmas: [SQLitePragma]) -> Int? {
    let own = pragmas.last { $0.name.lowercased() == "journal_size_limit" }?.value
    let limit = own.map { Int($0) ?? -1 } ?? defaultSizeLimit
    return limit < 0 ? nil : limit
  }

  /// Called for a connection whose file is no longer at its path: copies the log into the file, and empties it, if
  /// no connection reads it.
  ///
  /// SQLite leaves the log in place when the connection is closed, next to whatever file is now at the path. A
  /// program that opens that file uses the log as if it belonged to it:
  /// <https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use>. If that has
  /// happened already, the log contains the other program's commits, and stays.
  static func leave(_ database: Database, at path: String, lockWait: SQLiteLockWait) throws {
    if FileLocks.isHeld(onFileAt: path) { return }
    try lockWait.withoutWaiting { try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  /// True when the log is longer than SQLite leaves it after a restart.
  var isLong: Bool {
    guard let limit = connections.logSizeLimit, let opened = connections.opened else { return false }
    return !connections.isReadOnly && opened.logSize > limit
  }

  /// True when the log is longer than commits and short readers let it become, even if an option asks SQLite for a
  /// shorter one.
  private var isTooLong: Bool { isLong && connections.opened?.logSize ?? 0 > Self.defaultSizeLimit }

  /// Does work that reads the file of some connections for long, in one snapshot. Their log cannot restart meanwhile.
  static func readingAtLength<Value>(_ connections: SQLiteConnections, _ work: () throws -> Value) rethrows
    -> Value
  {
    guard let identity = connections.opened?.identity else { return try work() }
    longReads.withLock { $0[identity, default: 0] += 1 }
    defer {
      longReads.withLock { reads in
        let left = reads[identity, default: 1] - 1
        reads[identity] = left == 0 ? nil : left
      }
    }
    return try work()
  }

  /// True when a state of the file is held in this process, or it is being backed up.
  private var isReadAtLength: Bool {
    guard let identity = connections.opened?.identity else { return false }
    return Self.longReads.withLock { $0[identity] != nil } || SQLitePinnedSnapshots.isHeld(identity)
  }

  /// Restarts the log with an empty file, if no connection reads it.
  ///
  /// A checkpoint that truncates the log holds the write lock from its beginning:
  /// <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>. So a checkpoint that allows concurrent writes does most
  /// of the work first. The truncating one then has little to do and does not wait: what it cannot do is left to
  /// the next commits.
  func shorten() {
    guard isLong, checkpoint() else { return }
    // There is no caller to report an error to; the log stays as it is.
    try? connections.withoutTransaction { database in
      if isClosed.withLock({ $0 }) { return }
      try connections.lockWait.withoutWaiting { try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }
  }

  /// Restarts the log although readers overlap, as with many fetches that each begin before another one ends.
  /// SQLite alone does not find a moment without a reader.
  ///
  /// Writers wait meanwhile for the readers that were active when it began. Readers that begin after those have
  /// ended read the file. So this takes at most one second, or two seconds after a failure, and is repeated only
  /// after a pause of ten times that duration: see ``SQLiteLogRestarts``. It ends early when a waiting writer has
  /// used up half of its time. It does not wait at all for a reader that is known to take long.
  ///
  /// - Parameter patience: the time for which readers are waited for; `nil` for that.
  func restart(patience: Duration? = nil) {
    let restarts = restarts.withLock { $0 }
    guard isTooLong, !isReadAtLength, ContinuousClock.now >= restarts.next else { return }
    // Most of the work, concurrently with writers.
    _ = checkpoint()
    // There is no caller to report an error to; the log stays as it is.
    try? connections.withoutTransaction { database in
      let start = ContinuousClock.now
      var isDone = false
      defer { self.restarts.withLock { $0.record(isDone: isDone, from: start, to: .now) } }
      isDone = try beginAnew(database, until: start.advanced(by: patience ?? restarts.patience))
    }
  }

  /// Works in steps. Between them it checks whether the store is being closed, a reader takes long, or a waiting
  /// writer's time is nearly over.
  ///
  /// - Returns: false when readers outlast the limit.
  private func beginAnew(_ database: Database, until limit: ContinuousClock.Instant) throws -> Bool {
    while !isClosed.withLock({ $0 }), !connections.writeLock.isClosed, !connections.writeLock.isUrgent,
      !isReadAtLength,
      .now < limit
    {
      let isBusy = try connections.lockWait.waiting(until: min(limit, .now + Self.step)) {
        try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      if isBusy != true { return true }
      // Where another program does the same, SQLite refuses at once.
      Thread.sleep(forTimeInterval: 0.005)
    }
    return false
  }

  private static let step = Duration.milliseconds(100)

  /// Copies the log into the file as far as readers allow, on a dedicated connection, concurrently with writers.
  ///
  /// - Returns: true when all of it is there.
  func checkpoint() -> Bool {
    working.withLock {
      guard let connection = try? open() else { return false }
      defer {
        current.withLock { $0 = nil }
        try? connection.close()
      }
      return (try? connection.use(SQLiteCheckpoint.isComplete)) ?? false
    }
  }

  /// - Returns: `nil` when the store is being closed.
  private func open() throws -> SQLiteConnection? {
    var configuration = SQLiteConfiguration.observed
    configuration.busyMode = .immediateError
    let connection = try connections.openConnection(configuration)
    current.withLock { $0 = connection }
    // Closing sets the mark before it interrupts, so that one of the two threads sees the other.
    if isClosed.withLock({ $0 }) {
      current.withLock { $0 = nil }
      return nil
    }
    return connection
  }

  /// Breaks off a checkpoint, and waits until its connection is closed. None begins afterwards.
  func close() {
    isClosed.withLock { $0 = true }
    // The lock is held, so that the connection is not closed before the interruption.
    current.withLock { connection in if let connection { connection.interrupt() } }
    working.withLock {}
  }
}
