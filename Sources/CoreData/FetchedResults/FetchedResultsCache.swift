import Foundation
import Synchronization

/// The sections that controllers found, by the names of their caches, as long as the program runs.
///
/// With objects in order, a section is what lies between its first and its last object: whoever
/// finds them where they were need not ask the others for their section.
enum FetchedResultsCache {
  struct Entry: Sendable {
    /// The request and the key path by which the sections were found, as text: others have other
    /// sections.
    let request: String
    let sections: [Section]
  }

  struct Section: Sendable {
    let name: String
    let count: Int
  }

  private static let entries = Mutex<[String: Entry]>([:])

  static func entry(_ name: String) -> Entry? { entries.withLock { $0[name] } }

  static func cache(_ entry: Entry, _ name: String) { entries.withLock { $0[name] = entry } }

  /// Forgets one entry, or all.
  static func delete(_ name: String?) {
    entries.withLock { entries in
      if let name { entries[name] = nil } else { entries = [:] }
    }
  }
}
