import Dispatch
import SQLiteDriver
import Synchronization

/// A second connection that takes part in a scan, on a thread of its own, if it sees the state of the first.
///
/// SQLite does not number states in a way that two connections could compare. Each connection has a `data_version` that
/// changes when it notices commits of others: <https://www.sqlite.org/pragma.html#pragma_data_version>. So the helper
/// reads its number before and after the first connection begins its snapshot. If both numbers are equal, no other
/// connection has committed in between.
final class SQLiteScanHelper: Sendable {
  private enum Progress {
    case waiting, atWork, over
  }

  private let connection: SQLiteConnection
  private let stateBefore: UInt32
  private let progress = Mutex(Progress.waiting)
  private let hasLeft = DispatchSemaphore(value: 0)

  /// - Parameter connection: the helper uses it alone until ``finish()``.
  /// - Returns: `nil` where SQLite does not provide a number of the state.
  init?(_ connection: SQLiteConnection) throws {
    let state = try connection.use { database in
      try database.hearOfCommits()
      return database.commitNumber
    }
    guard let state else { return nil }
    self.connection = connection
    stateBefore = state
  }

  /// Begins to take part in a scan, whose own connection has fixed its state.
  func begin(_ scan: SQLiteScan) {
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      guard enter() else { return }
      takePart(in: scan)
      hasLeft.signal()
    }
  }

  /// Scans slices, if this connection sees the same state as the scan's first connection.
  func takePart(in scan: SQLiteScan) {
    do {
      try connection.read { database in
        try database.hearOfCommits()
        guard database.commitNumber == stateBefore else { return }
        scan.run(on: database)
      }
    } catch {
      scan.fail(error)
    }
  }

  /// Waits until the helper has left a scan without remaining slices. A helper that has not started yet never starts.
  func finish() {
    let isAtWork = progress.withLock { progress in
      defer { progress = .over }
      return progress == .atWork
    }
    guard isAtWork else { return }
    ContextThreads.whileWaiting { hasLeft.wait() }
  }

  private func enter() -> Bool {
    progress.withLock { progress in
      guard progress == .waiting else { return false }
      progress = .atWork
      return true
    }
  }
}
