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
    /// What it would change, found out when it was pasted; `nil` when its page has shown that.
    fileprivate var preview: SeedPreview?
    /// What became of it; `nil` before it is taken in.
    var report: SeedReport?
    /// True while it is taken in.
    var isTakenIn = false
  }

  private let last = Mutex<Seed?>(nil)

  /// Keeps a seed in place of the one before.
  ///
  /// - Parameter preview: what it would change.
  /// - Returns: the word that its address has.
  func add(_ data: Data, preview: SeedPreview) -> String {
    let name = SessionToken().text
    last.withLock { $0 = Seed(name: name, data: data, preview: preview, report: nil) }
    return name
  }

  /// What a seed would change, for the page that follows when it was pasted.
  ///
  /// - Returns: `nil` for a page that is loaded again, which is to tell what the seed would change by now.
  func popPreview(of name: String) -> SeedPreview? {
    last.withLock { seed in
      guard seed?.name == name else { return nil }
      defer { seed?.preview = nil }
      return seed?.preview
    }
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
  func finish(_ name: String, report: SeedReport) {
    last.withLock { seed in
      if seed?.name == name { seed = Seed(name: name, data: Data(), preview: nil, report: report) }
    }
  }
}
