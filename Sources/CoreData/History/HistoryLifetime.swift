import Foundation
import Synchronization

/// The age up to which a store keeps transactions of its history. After a commit, but not after
/// each one, the store looks for older transactions.
package final class HistoryLifetime: Sendable {
  /// The commits between two looks at the history. A program that commits less looks once.
  static let commitsBetweenLooks = 64

  /// The age in seconds from which transactions are deleted.
  private let lifetime: TimeInterval
  /// The commits until the next look.
  private let waiting = Mutex(0)

  /// - Parameter store: the store as errors name it.
  /// - Returns: `nil` when no option asks for it.
  /// - Throws: an error that names the option, when its value is not a number of seconds.
  package init?(_ options: [AnyHashable: Any]?, of store: String, at url: URL) throws {
    guard let option = options?[StoreHistoryLifetimeOption] else { return nil }
    guard let lifetime = (option as? NSNumber)?.doubleValue, lifetime > 0, lifetime.isFinite else {
      throw StoreFailure.open(
        "\(store): StoreHistoryLifetimeOption is \(option); give a number of seconds above 0.",
        file: url
      )
    }
    self.lifetime = lifetime
  }

  /// Transactions before it are deleted.
  package var date: Date { Date(timeIntervalSinceNow: -lifetime) }

  /// Called when a commit has added a transaction: true when it is time to look.
  package func isDue() -> Bool {
    waiting.withLock { waiting in
      defer { waiting = waiting == 0 ? Self.commitsBetweenLooks - 1 : waiting - 1 }
      return waiting == 0
    }
  }

  /// Called when there is more to be deleted: the next commit goes on.
  package func hasMore() { waiting.withLock { $0 = 0 } }
}
