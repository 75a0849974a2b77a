import Files
import Foundation
import SQLiteDriver
import Synchronization

/// The open database of a store: one connection that writes, and several that read concurrently.
///
/// In the WAL mode of Apple-made stores readers and the writer do not wait for each other. In
/// another journal mode they would, and so they would in memory, so there one connection does all.
final class SQLiteConnections: Sendable {
  let file: URL
  let isReadOnly: Bool
  private let pragmas: [SQLitePragma]
  let writer: SQLiteConnection
  /// The time to wait for other writers, in seconds.
  let timeout: TimeInterval
  /// The write lock of this process: for one save, or for a transaction of many.
  let writeLock = FairWriteLock()
  private let monitoringPlace = Mutex(StoreMonitoring())
  /// Receives waits and transactions. It is the coordinator's monitoring once the store is open.
  var monitoring: StoreMonitoring {
    get { monitoringPlace.withLock { $0 } }
    set { monitoringPlace.withLock { $0 = newValue } }
  }
  /// Waits for other processes on the connection that writes.
  let lockWait: SQLiteLockWait
  let readers: SQLiteReaders?
  /// The connection of the transaction of many saves that runs.
  let openTransaction = Mutex<(connection: SQLiteConnection, lockWait: SQLiteLockWait)?>(nil)
  private let commitCount = Atomic<Int>(0)
  private let logIsLong = Mutex<(@Sendable () -> Void)?>(nil)
  /// Files of external data that are to be removed.
  let released = ReleasedFiles()
  /// The file that all connections have open; `nil` for a database in memory.
  let opened: SQLiteOpenedFile?
  /// The path by which further connections find the database, and the configuration with which readers open it.
  private let readPath: String
  private let reading: @Sendable () -> SQLiteConfiguration
  /// The promise under which SQLite reads without locks; `nil` where it locks.
  let promise: ImmutablePromise?
  /// True when a reader may stay at a state of the database, because readers do not block writers in WAL
  /// mode: <https://www.sqlite.org/wal.html#concurrency>.
  var canHoldStates: Bool { readers != nil }

  /// Opens a database, and creates the file if it does not exist. It changes nothing in the database before
  /// `prepareForWriting()`.
  ///
  /// - Parameters:
  ///   - pragmas: settings of SQLite.
  ///   - timeout: the time to wait for other processes, in seconds.
  ///   - readerCount: the number of connections that may read at a time.
  init(
    file: URL,
    isReadOnly: Bool,
    pragmas: [SQLitePragma],
    timeout: TimeInterval,
    readerCount: Int = SQLiteReaders.defaultCount
  ) throws {
    self.file = file
    self.isReadOnly = isReadOnly
    self.pragmas = pragmas
    self.timeout = timeout
    let memory = SQLiteMemory(file)
    let path = memory?.address ?? file.path
    lockWait = SQLiteLockWait(timeout: timeout)
    let configuration = Self.configuration(isReadOnly: isReadOnly, pragmas: pragmas, lockWait: lockWait)
    do {
      let opening =
        try isReadOnly
        ? Self.openReadOnly(path, configuration: configuration)
        : ReadOnlyOpening(
          connection: SQLiteConnection(path: path, configuration: configuration),
          path: path,
          promise: nil
        )
      let (writer, readPath) = (opening.connection, opening.path)
      self.writer = writer
      promise = opening.promise
      let opened = memory == nil ? try SQLiteOpenedFile(file: file, connection: writer) : nil
      self.opened = opened
      let reading = { @Sendable in
        Self.configuration(isReadOnly: true, pragmas: pragmas, lockWait: SQLiteLockWait(timeout: timeout))
      }
      self.readPath = readPath
      self.reading = reading
      let journal = pragmas.last { $0.name.lowercased() == "journal_mode" }?.value.lowercased() ?? "wal"
      readers =
        memory == nil && (isReadOnly || journal == "wal")
        ? SQLiteReaders(count: readerCount, timeout: timeout) {
          try SQLiteConnections.open(readPath, configuration: reading(), opened: opened)
        }
        : nil
    } catch {
      throw SQLiteFailure.error(error, file: file, doing: "The store could not be opened")
    }
  }

  /// Opens another connection that reads.
  ///
  /// - Parameter holdingTransactions: true when the connection may keep a transaction open, to stay at its snapshot.
  func openReader(holdingTransactions: Bool = false) throws -> SQLiteConnection {
    try readers?.requireReadable()
    var configuration = reading()
    configuration.allowsUnsafeTransactions = holdingTransactions
    return try openConnection(configuration)
  }

  /// Opens another connection to the file that these have open.
  ///
  /// - Throws: an error when the store's place leads to another file by now.
  func openConnection(_ configuration: SQLiteConfiguration) throws -> SQLiteConnection {
    try Self.open(readPath, configuration: configuration, opened: opened)
  }

  private static func open(
    _ path: String,
    configuration: SQLiteConfiguration,
    opened: SQLiteOpenedFile?
  ) throws -> SQLiteConnection {
    try opened?.open(path, configuration: configuration)
      ?? SQLiteConnection(path: path, configuration: configuration)
  }

  /// Makes the settings of a store that is written: the journal in WAL mode, unless a pragma asks for another mode.
  func prepareForWriting() throws {
    if isReadOnly { return }
    try writer.use(prepareForWriting)
    opened?.recordLog()
  }

  private func prepareForWriting(_ database: Database) throws {
    let wanted = pragmas.filter(\.isForWriters)
    func isSet(_ name: String) -> Bool { pragmas.contains { $0.name.lowercased() == name } }
    if !isSet("journal_mode") {
      try lockWait.retrying { try database.execute(sql: "PRAGMA journal_mode = WAL") }
      // SQLite recommends NORMAL for WAL, because a crash of the program cannot corrupt the database:
      // <https://www.sqlite.org/pragma.html#pragma_synchronous>.
      if !isSet("synchronous") { try database.execute(sql: "PRAGMA synchronous = NORMAL") }
    }
    if !isSet("journal_size_limit") {
      try database.execute(sql: "PRAGMA journal_size_limit = \(SQLiteLog.defaultSizeLimit)")
      // If the options ask for a shorter log, SQLite's default interval between checkpoints stays.
      if !isSet("wal_autocheckpoint") {
        try database.execute(sql: "PRAGMA wal_autocheckpoint = \(SQLiteLog.checkpointPageCount)")
      }
    }
    for pragma in wanted { try database.execute(sql: "PRAGMA \(pragma.name) = \(pragma.value)") }
    // Creates the files of the log, which readers expect.
    _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
  }

  /// The number of bytes to which SQLite truncates its log when it restarts; `nil` for no limit.
  var logSizeLimit: Int? { SQLiteLog.sizeLimit(pragmas) }

  /// Runs a transaction of many writes on a dedicated connection, and excludes all other writers. It waits
  /// for the write lock until the store's timeout has passed.
  ///
  /// - Parameter body: receives the connection inside the transaction. An error that it throws rolls the
  ///   transaction back.
  func transaction<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    try beginWriting { limit in
      let lockWait = SQLiteLockWait(timeout: timeout)
      var configuration = Self.configuration(isReadOnly: false, pragmas: pragmas, lockWait: lockWait)
      configuration.allowsUnsafeTransactions = true
      let connection = try openConnection(configuration)
      openTransaction.withLock { $0 = (connection, lockWait) }
      let value = try {
        defer {
          // This comes first, because closing the store interrupts the connection that is registered here.
          openTransaction.withLock { $0 = nil }
          // Closing rolls an open transaction back. A commit or a failure stays what it is, whatever
          // closing reports; the connection closes with its last reference at the latest.
          try? connection.close()
        }
        try connection.use { database in
          try prepareForWriting(database)
          try database.execute(sql: "PRAGMA cache_size = -\(Self.transactionCacheSize)")
          try begin(database, lockWait: lockWait, until: limit)
        }
        let value = try body(connection)
        // It may have taken long.
        try opened?.requireSame()
        try connection.use { try $0.commit() }
        return value
      }()
      fileWasWritten()
      return value
    }
  }

  /// The amount of the database's pages that a transaction keeps before it writes them into the log, in KiB.
  private static let transactionCacheSize = 32 << 10

  /// Runs work with the write lock of this process. One time limit bounds the waits in this process and for
  /// other processes.
  ///
  /// - Parameter work: receives the time until which it may wait for other processes.
  private func beginWriting<Value>(_ work: (ContinuousClock.Instant) throws -> Value) throws -> Value {
    let limit = StoreCall.limit(timeout: timeout)
    return try writeLock.hold(timeout: timeout, timedBy: monitoring) { try work(limit) }
  }

  /// Takes the write lock, and checks whether the file is the one that was opened.
  private func begin(_ database: Database, lockWait: SQLiteLockWait, until limit: ContinuousClock.Instant)
    throws
  {
    try monitoring.timing(.lock) { try lockWait.begin(database, until: limit) }
    try opened?.requireSame(in: database, lockWait: lockWait)
  }

  /// Sets a closure that some commits call while the log is longer than SQLite's checkpoints keep it.
  func whenLogIsLong(_ call: @escaping @Sendable () -> Void) { logIsLong.withLock { $0 = call } }

  private static let commitsBetweenLooksAtLog = 64

  private func lookAtLog() {
    let count = commitCount.wrappingAdd(1, ordering: .relaxed).newValue
    guard count % Self.commitsBetweenLooksAtLog == 0, let opened, opened.logSize > SQLiteLog.defaultSizeLimit
    else { return }
    logIsLong.withLock { $0 }?()
  }

  private func fileWasWritten() {
    lookAtLog()
    monitoring.monitor?.committed()
    SQLiteChangeWatcher.fileWasWritten(file)
    SQLitePinnedSnapshots.fileWasWritten(opened?.identity)
  }

  /// Runs a statement that takes care of the whole file, and cannot be part of a transaction.
  func maintain(_ sql: String) throws {
    try withoutTransaction { try $0.execute(sql: sql) }
  }

  /// Runs work on the connection that writes, outside of a transaction.
  func withoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try writeLock.hold(timeout: timeout, isUpkeep: true) {
      try opened?.requireUsable()
      return try writer.use(body)
    }
  }

  /// Excludes all other writers, also in other processes, while the body runs. The body may close these connections.
  func withoutWriters<Value>(_ body: () throws -> Value) throws -> Value {
    try beginWriting { limit in
      // In other modes than WAL the lock would block the work's reads; a store in memory has no other writers.
      guard canHoldStates, !isReadOnly else { return try body() }
      let lockWait = SQLiteLockWait(timeout: timeout)
      var configuration = Self.configuration(isReadOnly: false, pragmas: [], lockWait: lockWait)
      configuration.allowsUnsafeTransactions = true
      let lock = try openConnection(configuration)
      defer { try? lock.close() }
      try lock.use { try begin($0, lockWait: lockWait, until: limit) }
      return try body()
    }
  }

  /// Runs queries on the connection that writes, before it is prepared.
  func look<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try readingUnwritten { try writer.read(body) }
  }

  /// Runs one query. Each statement sees its own snapshot.
  ///
  /// A call that has the write lock reads on the writing connection, because its cache contains the pages
  /// of the last writes. Another connection would have to read these again.
  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let readers else {
      return try writeLock.hold(timeout: timeout) { try writer.use { try $0.endingWithCall(body) } }
    }
    if let value = try writeLock.holdIfHad({ try writer.use { try $0.endingWithCall(body) } }) {
      return value
    }
    return try readingUnwritten {
      try readers.with { connection in try connection.use { try $0.endingWithCall(body) } }
    }
  }

  /// Runs several queries that see the same state.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let readers else {
      return try writeLock.hold(timeout: timeout) { try writer.read { try $0.endingWithCall(body) } }
    }
    return try readingUnwritten {
      try readers.with { connection in try connection.read { try $0.endingWithCall(body) } }
    }
  }

  /// Runs a transaction that writes. It takes the write lock at once, so that it never fails half way for it.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let value = try beginWriting { limit in
      try writer.use { database in
        try begin(database, lockWait: lockWait, until: limit)
        do {
          let value = try database.endingWithCall(body)
          try database.commit()
          return value
        } catch {
          try? database.rollback()
          throw error
        }
      }
    }
    fileWasWritten()
    return value
  }

  /// Runs a transaction that tries several writes, and excludes other writers between them.
  ///
  /// - Parameter body: gets the connection inside the transaction, on which it writes by savepoints.
  func whileLocked<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    try write { _ in try body(writer) }
  }

  /// Runs reads in a transaction that could write, and rolls it back. Nothing is written to the file, and
  /// no context is notified.
  func rehearse<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let limit = StoreCall.limit(timeout: timeout)
    return try writeLock.hold(timeout: timeout) {
      try writer.use { database in
        try lockWait.begin(database, until: limit)
        defer { try? database.rollback() }
        try opened?.requireUsable()
        return try database.endingWithCall(body)
      }
    }
  }

  /// True when a connection outside of the store holds the write lock now. It does not wait, and is false
  /// while a thread of this process writes.
  var isLockedElsewhere: Bool {
    let isLocked = writeLock.holdIfFree {
      writer.use { database in
        do {
          try lockWait.withoutWaiting { try database.beginTransaction(.immediate) }
          try? database.rollback()
          return false
        } catch let error as DatabaseError {
          return error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        } catch {
          return false
        }
      }
    }
    return isLocked ?? false
  }

  /// Closes all connections. The writer is last, so that it can copy the write-ahead log into the file.
  func close() throws {
    do {
      try readers?.close()
      if !isReadOnly, let opened, opened.isElsewhere {
        try? writer.use { try opened.leaveLog($0, lockWait: lockWait) }
      }
      try writer.close()
    } catch {
      throw SQLiteFailure.error(error, file: file, doing: "The store could not be closed")
    }
  }

  private static func configuration(
    isReadOnly: Bool,
    pragmas: [SQLitePragma],
    lockWait: SQLiteLockWait
  ) -> SQLiteConfiguration {
    var configuration = lockWait.configuration()
    configuration.readonly = isReadOnly
    configuration.prepareDatabase { database in
      SQLiteFunctions.register(in: database)
      SQLiteCollation.register(in: database)
      if !isReadOnly, try Int.fetchOne(database, sql: "PRAGMA page_count") == 0 {
        // Both only count before the first table is made.
        try database.execute(sql: "PRAGMA page_size = 4096")
        try database.execute(sql: "PRAGMA auto_vacuum = 2")
      }
      for pragma in pragmas where !pragma.isForWriters {
        try database.execute(sql: "PRAGMA \(pragma.name) = \(pragma.value)")
      }
    }
    return configuration
  }
}
