import Foundation
import Logging
import Synchronization

/// Deletes transactions of the history that are older than a store's option allows, by itself:
/// behind a commit now and then, a piece at a time, and never when somebody else writes.
final class SQLiteHistoryLifetime: Sendable {
  /// The commits between two looks at the history. A program that commits less looks once.
  static let commitsBetweenLooks = 64

  /// The age in seconds from which transactions are deleted.
  private let lifetime: TimeInterval
  /// The commits until the next look.
  private let waiting = Mutex(0)

  /// - Returns: `nil` when no option asks for it.
  /// - Throws: an error that names the option, when it is no number of seconds.
  init?(_ options: [AnyHashable: Any]?, file: URL) throws {
    guard let option = options?[StoreHistoryLifetimeOption] else { return nil }
    guard let lifetime = (option as? NSNumber)?.doubleValue, lifetime > 0, lifetime.isFinite else {
      throw StoreFailure.error(
        NSPersistentStoreOpenError,
        "\(file.path): StoreHistoryLifetimeOption is \(option); give a number of seconds above 0.",
        file: file
      )
    }
    self.lifetime = lifetime
  }

  /// Called when a commit has added a transaction to the history, and holds no lock any more.
  ///
  /// What goes wrong is logged, and tried again later: the commit has succeeded.
  func historyGrew(_ engine: SQLiteStore.Engine) {
    guard isDue() else { return }
    do {
      let purge = SQLiteHistoryPurge(date: Date(timeIntervalSinceNow: -lifetime))
      let piece = try engine.connections.writeIfFree { database in
        try engine.guardian?.check(database, engine)
        return try purge.deletePiece(in: database)
      }
      // Somebody else writes, or there is more: the next commit goes on.
      if piece?.isMoreLeft ?? true { waiting.withLock { $0 = 0 } }
    } catch {
      let failure = SQLiteFailure.error(error, file: engine.file, doing: "Old history could not be deleted")
      // Made anew each time, so that it is the program's own once that has set up its logging.
      Logger(label: "CoreData").warning("\(failure.localizedDescription)")
    }
  }

  private func isDue() -> Bool {
    waiting.withLock { waiting in
      defer { waiting = waiting == 0 ? Self.commitsBetweenLooks - 1 : waiting - 1 }
      return waiting == 0
    }
  }
}
