import Foundation
import Seeding
import Synchronization

/// The seed that somebody has pasted last, until it is taken in: its form does not send it twice.
final class PendingSeeds: Sendable {
  /// A seed that was pasted.
  struct Seed: Sendable {
    /// The word that its address has.
    let name: String
    let data: Data
    /// What became of it; `nil` before it is taken in.
    var report: SeedReport?
    /// True while it is taken in.
    var isTakenIn = false
  }

  private let last = Mutex<Seed?>(nil)

  /// Keeps a seed in place of the one before.
  ///
  /// - Returns: the word that its address has.
  func add(_ data: Data) -> String {
    let name = SessionToken().text
    last.withLock { $0 = Seed(name: name, data: data, report: nil) }
    return name
  }

  /// - Returns: `nil` when another one was pasted since.
  func seed(_ name: String) -> Seed? { last.withLock { $0?.name == name ? $0 : nil } }

  /// Lets one of those who ask for it take a seed in.
  ///
  /// - Returns: its bytes; `nil` where somebody else is taking it in, or has done so.
  func begin(_ name: String) -> Data? {
    last.withLock { seed in
      guard let found = seed, found.name == name, !found.isTakenIn, found.report == nil else { return nil }
      seed?.isTakenIn = true
      return found.data
    }
  }

  /// Lets a seed be taken in again that could not be.
  func cancel(_ name: String) {
    last.withLock { if $0?.name == name { $0?.isTakenIn = false } }
  }

  /// Remembers what became of a seed, whose bytes are not needed any more.
  func finish(_ name: String, _ report: SeedReport) {
    last.withLock { seed in
      if seed?.name == name { seed = Seed(name: name, data: Data(), report: report) }
    }
  }
}
