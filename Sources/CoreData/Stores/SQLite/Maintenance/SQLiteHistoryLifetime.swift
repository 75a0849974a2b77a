import Foundation
import Logging

/// Deletes transactions of the history that are older than a store's option allows, by itself:
/// behind a commit now and then, a piece at a time, and never when somebody else writes.
final class SQLiteHistoryLifetime: Sendable {
  private let lifetime: HistoryLifetime

  /// - Returns: `nil` when no option asks for it.
  /// - Throws: an error that names the option, when it is no number of seconds.
  init?(_ options: [AnyHashable: Any]?, file: URL) throws {
    guard let lifetime = try HistoryLifetime(options, of: file.path, at: file) else { return nil }
    self.lifetime = lifetime
  }

  /// Called when a commit has added a transaction to the history, and holds no lock any more.
  ///
  /// What goes wrong is logged, and tried again later: the commit has succeeded.
  func historyGrew(_ engine: SQLiteStore.Engine) {
    guard lifetime.isDue() else { return }
    do {
      let purge = SQLiteHistoryPurge(date: lifetime.date)
      let piece = try engine.connections.writeIfFree { database in
        try engine.guardian?.check(database, engine)
        return try purge.deletePiece(in: database)
      }
      // Somebody else writes, or there is more: the next commit goes on.
      if piece?.isMoreLeft ?? true { lifetime.hasMore() }
    } catch {
      let failure = SQLiteFailure.error(error, file: engine.file, doing: "Old history could not be deleted")
      // Made anew each time, so that it is the program's own once that has set up its logging.
      Logger(label: "CoreData").warning("\(failure.localizedDescription)")
    }
  }
}
