import Files
import Foundation
import SQLiteDriver

extension SQLiteConnections {
  /// The first connection of a store that is only read.
  struct ReadOnlyOpening {
    let connection: SQLiteConnection
    /// The path for further connections.
    let path: String
    /// The promise to SQLite that the file does not change; `nil` where SQLite takes its locks.
    let promise: ImmutablePromise?
  }

  /// Opens a database to read it.
  ///
  /// A transaction that a killed process has left half-written is rolled back first, for which the file is written.
  /// SQLite does not do so for a connection that only reads.
  ///
  /// A store in a read-only folder has no place for the files that readers share in WAL mode. It can be read while no
  /// process writes it, which is what `immutable` promises SQLite:
  /// <https://www.sqlite.org/wal.html#read_only_databases>.
  static func openReadOnly(_ path: String, configuration: SQLiteConfiguration) throws -> ReadOnlyOpening {
    do {
      return ReadOnlyOpening(
        connection: try openRecovered(path, configuration: configuration),
        path: path,
        promise: nil
      )
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
    {
      // A half-written transaction is in the file, and the journal that takes it back cannot be used.
      if error.extendedResultCode == .SQLITE_READONLY_ROLLBACK { throw error }
      // SQLite keeps its journals next to the file that symbolic links lead to.
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      guard FileManager.default.isReadableFile(atPath: file),
        !FileManager.default.isWritableFile(atPath: FilePlacing.folder(of: file)),
        let promise = ImmutablePromise(file), let immutable = address(file, parameter: "immutable=1")
      else { throw error }
      let connection = try SQLiteConnection(path: immutable, configuration: configuration)
      try promise.requireKept()
      return ReadOnlyOpening(connection: connection, path: immutable, promise: promise)
    }
  }

  private static func openRecovered(_ path: String, configuration: SQLiteConfiguration) throws -> SQLiteConnection {
    do {
      return try SQLiteConnection(path: path, configuration: configuration)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
      try recover(path, configuration: configuration, after: error)
      return try SQLiteConnection(path: path, configuration: configuration)
    }
  }

  /// Has SQLite roll back the transaction that a killed process has left half-written.
  ///
  /// - Throws: the error that led here where this user may not write the file or its folder.
  private static func recover(_ path: String, configuration: SQLiteConfiguration, after error: DatabaseError) throws {
    var writing = configuration
    writing.readonly = false
    do {
      // A file that was deleted in the meantime is not created again.
      let connection = try SQLiteConnection(path: address(path, parameter: "mode=rw") ?? path, configuration: writing)
      try connection.close()
    } catch let failure as DatabaseError {
      switch failure.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_INTERRUPT: throw failure
      default: throw error
      }
    }
  }

  /// The address by which SQLite opens a file with a parameter: <https://www.sqlite.org/uri.html>.
  static func address(_ path: String, parameter: String) -> String? {
    let address = URLComponents(string: URL(fileURLWithPath: path).absoluteString)?.percentEncodedPath
    return address.map { "file:\($0)?\(parameter)" }
  }

  /// Runs work that reads, and returns its result only if the promise to SQLite was kept meanwhile.
  func readingUnwritten<Value>(_ work: () throws -> Value) throws -> Value {
    if !isReadOnly { return try work() }
    do {
      return try ImmutablePromise.keeping(promise, work)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
      try Self.recover(file.path, configuration: SQLiteLockWait(timeout: timeout).configuration(), after: error)
      throw StoreFailure.operation(
        """
        \(file.path): a process was killed while it wrote the store, and its half-written change was rolled back just \
        now; read again.
        """,
        file: file
      )
    }
  }
}

/// The promise to SQLite that no process writes a database, with which SQLite reads it without locks.
///
/// No lock prevents other programs from writing meanwhile. So the file is checked after each read: it must have the
/// version that it had when it was opened, and there must be no journal next to it.
struct ImmutablePromise: Sendable {
  private let path: String
  private let version: FileVersion

  /// - Parameter path: the path of the file, at the end of all symbolic links.
  /// - Returns: `nil` where the promise is impossible: a journal or a write-ahead log has changes that are not in the
  ///   file, or the file cannot be examined.
  init?(_ path: String) {
    guard !Self.hasChanges(nextTo: path), Self.passTick(of: path), let version = FileVersion(resolving: path)
    else { return nil }
    self.path = path
    self.version = version
  }

  /// Runs work that reads under a promise, and returns its result only if the promise was kept.
  ///
  /// - Parameter promise: `nil` where SQLite takes its locks.
  static func keeping<Value>(_ promise: ImmutablePromise?, _ work: () throws -> Value) throws -> Value {
    guard let promise else { return try work() }
    let outcome = Result { try work() }
    // First, since an error of SQLite's may be a consequence of the broken promise.
    try promise.requireKept()
    return try outcome.get()
  }

  /// - Throws: an error with the remedy, when another process has written the file, or is about to.
  func requireKept() throws {
    if !Self.hasChanges(nextTo: path), FileVersion(resolving: path) == version { return }
    throw StoreFailure.error(
      CocoaError.fileReadUnknown.rawValue,
      message: """
        \(path): another process has written the store while it was read. This user may not write its folder, where SQLite \
        keeps the locks, so that what was read may be of two states. Open the store again, or give this user access to \
        the folder.
        """,
      file: URL(fileURLWithPath: path)
    )
  }

  /// True when there is a journal of a half-written transaction, or a write-ahead log that is not empty, or when one of
  /// them cannot be looked at. The length of a log that no process has written is 0.
  private static func hasChanges(nextTo path: String) -> Bool {
    if RollbackJournal.isHot(nextTo: path) { return true }
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? status.st_size > 0 : errno != ENOENT
  }

  /// Waits until a further write of the file would change the time of its last one: file systems count in ticks of
  /// up to 10 ms (<https://docs.kernel.org/filesystems/multigrain-ts.html>).
  private static func passTick(of path: String) -> Bool {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let written = attributes[.modificationDate] as? Date
    else { return false }
    if abs(written.timeIntervalSinceNow) < 0.02 { Thread.sleep(forTimeInterval: 0.02) }
    return true
  }
}
