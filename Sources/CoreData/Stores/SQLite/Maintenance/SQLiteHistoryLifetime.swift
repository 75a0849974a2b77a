import Foundation
import Logging

/// Deletes transactions of the history that are older than a store's option allows: after some of
/// the commits, one piece at a time, and never while another connection writes.
final class SQLiteHistoryLifetime: Sendable {
  private let lifetime: HistoryLifetime

  /// - Returns: `nil` when no option asks for it.
  /// - Throws: an error that names the option, when it is not a number of seconds.
  init?(_ options: [AnyHashable: Any]?, file: URL) throws {
    guard let lifetime = try HistoryLifetime(options, of: file.path, at: file) else { return nil }
    self.lifetime = lifetime
  }

  /// Called when a commit has added a transaction to the history, and has released its locks.
  ///
  /// An error is logged, and the deletion is retried later: the commit has succeeded.
  func historyGrew(_ engine: SQLiteStore.Engine) {
    guard lifetime.isDue() else { return }
    do {
      let purge = SQLiteHistoryPurge(date: lifetime.date)
      let piece = try engine.connections.writeIfFree { database in
        try engine.guardian?.check(database, engine: engine)
        return try purge.deletePiece(in: database)
      }
      // Another connection writes, or more is left: the deletion continues after the next commit.
      if piece?.isMoreLeft ?? true { lifetime.hasMore() }
    } catch {
      let failure = SQLiteFailure.error(error, file: engine.file, doing: "Old history could not be deleted")
      // A new logger each time, so that a program that has set up its logging gets its own.
      Logger(label: "CoreData").warning("\(failure.localizedDescription)")
    }
  }
}
