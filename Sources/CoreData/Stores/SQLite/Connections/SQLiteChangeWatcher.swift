import CSystemSQLite
import Dispatch
import Foundation
import Logging
import SQLiteDriver
import Synchronization

/// Notices when a database is changed, by whatever process.
///
/// A dedicated connection reads SQLite's `data_version`, which changes with each commit of another
/// connection: <https://www.sqlite.org/pragma.html#pragma_data_version>. It reads at once when a
/// store of this process has written the file, and four times a second for all other writers.
final class SQLiteChangeWatcher: Sendable {
  private struct Weak: Sendable {
    weak var watcher: SQLiteChangeWatcher?
  }

  private struct Seen {
    var version: Int64
    var transaction: Int64
    /// True when the loss of the opened file was reported.
    var isFileLost = false
    /// True when the watcher queries and reports no more.
    var isStopped = false
  }

  /// The time for which a change by another process may go unnoticed, in milliseconds.
  private static let interval = 250
  /// The watchers of this process by the path of their file.
  private static let watchers = Mutex<[String: [Weak]]>([:])

  private let connection: SQLiteConnection
  private let path: String
  private let hasHistory: Bool
  private let queue = DispatchQueue(label: "CoreData.SQLiteChangeWatcher")
  // Dispatch sources may be used from any thread, which Dispatch does not declare here.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer
  private let seen: Mutex<Seen>
  private let opened: SQLiteOpenedFile?
  private let report: @Sendable (Int64) -> Void

  /// - Parameters:
  ///   - hasHistory: true to report only the changes that the history contains.
  ///   - report: called with the number of the last transaction in the history, on a queue of the watcher's own.
  init(_ connections: SQLiteConnections, hasHistory: Bool, report: @escaping @Sendable (Int64) -> Void) throws {
    connection = try connections.openReader()
    path = Self.key(connections.file)
    opened = connections.opened
    self.hasHistory = hasHistory
    self.report = report
    seen = Mutex(try Self.state(connection, hasHistory: hasHistory))
    // Later looks are frequent, so a locked file ends them at once.
    _ = connection.use { sqlite3_busy_timeout($0.sqliteConnection, 0) }
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .milliseconds(Self.interval),
      repeating: .milliseconds(Self.interval),
      leeway: .milliseconds(Self.interval / 5)
    )
    timer.setEventHandler { [weak self] in self?.check() }
    timer.resume()
    Self.watchers.withLock { $0[path, default: []].append(Weak(watcher: self)) }
  }

  /// Called when a connection of this process has written a file.
  static func fileWasWritten(_ file: URL) {
    let found = watchers.withLock { watchers -> [Weak] in watchers.isEmpty ? [] : watchers[key(file)] ?? [] }
    for case let watcher? in found.map(\.watcher) {
      watcher.queue.async { [weak watcher] in watcher?.check() }
    }
  }

  /// Stops watching. A report in progress continues, because its receiver, or code that the
  /// receiver waits for, may be the one that stops the watcher. No report begins afterwards.
  func stop() throws {
    Self.watchers.withLock { watchers in
      watchers[path]?.removeAll { $0.watcher == nil || $0.watcher === self }
      if watchers[path]?.isEmpty == true { watchers[path] = nil }
    }
    timer.cancel()
    // This waits for a query of the database, and not for the receiver of a report.
    let wasStopped = seen.withLock { seen in
      defer { seen.isStopped = true }
      return seen.isStopped
    }
    if !wasStopped { try connection.close() }
  }

  /// Called on the watcher's queue.
  func check() {
    let (isWritten, news, failure) = seen.withLock { seen -> (Bool, Int64?, (any Error)?) in
      if seen.isStopped { return (false, nil, nil) }
      let failure = lostFile(&seen)
      // The file may be locked just now: the next look will notice the change.
      guard var state = try? Self.state(connection, hasHistory: hasHistory) else { return (false, nil, failure) }
      state.isFileLost = seen.isFileLost
      defer { seen = state }
      let isWritten = state.version != seen.version
      let isNews = hasHistory ? state.transaction > seen.transaction : isWritten
      return (isWritten, isNews ? state.transaction : nil, failure)
    }
    if let failure {
      Logger(label: "CoreData").error("\(failure.localizedDescription)", metadata: ["store": "\(path)"])
    }
    // Others' commits make the log longer, too.
    if isWritten { SQLitePinnedSnapshots.fileWasWritten(opened?.identity) }
    // The call is outside of the lock, because the receiver may remove the store.
    if let news { report(news) }
  }

  /// The error for a removed or replaced file, once. Commits to the file that replaced it do not
  /// concern the open store.
  private func lostFile(_ seen: inout Seen) -> (any Error)? {
    if seen.isFileLost { return nil }
    do {
      try opened?.requireWatched()
      return nil
    } catch {
      seen.isFileLost = true
      return error
    }
  }

  private static func state(_ connection: SQLiteConnection, hasHistory: Bool) throws -> Seen {
    try connection.use { database in
      let version = SQLStatement(sql: "PRAGMA data_version")
      let transaction =
        hasHistory
        ? try SQLiteHistoryTables.last(SQLiteHistoryTables.transactionNumber, table: "ATRANSACTION", in: database) : 0
      return Seen(
        version: try SQLiteQuery(version, in: database, isCached: true).integer() ?? 0,
        transaction: transaction
      )
    }
  }

  private static func key(_ file: URL) -> String { file.resolvingSymlinksInPath().standardizedFileURL.path }
}
