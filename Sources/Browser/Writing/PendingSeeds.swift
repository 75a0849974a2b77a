import Foundation
import Seeding
import Synchronization

/// Keeps the last seed that a user pasted until it is imported, so that the form of the preview need not send it again.
final class PendingSeeds: Sendable {
  /// A pasted seed.
  struct Seed: Sendable {
    /// The word in the seed's address.
    let name: String
    let data: Data
    /// The changes that the import would make, computed when the seed was pasted; `nil` once a page has shown them.
    fileprivate var preview: SeedPreview?
    /// The result of the import; `nil` before it.
    var report: SeedReport?
    /// True during the import.
    var isTakenIn = false
  }

  private let last = Mutex<Seed?>(nil)

  /// Replaces the seed that was kept before.
  ///
  /// - Parameter preview: the changes that the import would make.
  /// - Returns: the word in the seed's address.
  func add(_ data: Data, preview: SeedPreview) -> String {
    let name = SessionToken().text
    last.withLock { $0 = Seed(name: name, data: data, preview: preview, report: nil) }
    return name
  }

  /// Returns the changes that the import would make, for the first page after the seed was pasted.
  ///
  /// - Returns: `nil` when the page is loaded again, because the page then has to show the changes as of now.
  func popPreview(of name: String) -> SeedPreview? {
    last.withLock { seed in
      guard seed?.name == name else { return nil }
      defer { seed?.preview = nil }
      return seed?.preview
    }
  }

  /// Returns the seed with a name.
  ///
  /// - Returns: `nil` when another seed was pasted in the meantime.
  func seed(_ name: String) -> Seed? { last.withLock { $0?.name == name ? $0 : nil } }

  /// Starts the import of a seed, for the first request that asks for it.
  ///
  /// - Returns: the bytes of the seed; `nil` when another request is importing it or has imported it.
  func begin(_ name: String) -> Data? {
    last.withLock { seed in
      guard let found = seed, found.name == name, !found.isTakenIn, found.report == nil else { return nil }
      seed?.isTakenIn = true
      return found.data
    }
  }

  /// Allows another import of the seed after a failed one.
  func cancel(_ name: String) {
    last.withLock { if $0?.name == name { $0?.isTakenIn = false } }
  }

  /// Keeps the result of the import, and releases the seed's bytes.
  func finish(_ name: String, report: SeedReport) {
    last.withLock { seed in
      if seed?.name == name { seed = Seed(name: name, data: Data(), preview: nil, report: report) }
    }
  }
}
