import Synchronization

/// The changes that came to a context's objects from outside since changes were last processed.
struct ArrivedChanges {
  /// New objects that another context or process has saved.
  var inserted: [NSManagedObject] = []
  /// Objects that were brought up to date.
  var refreshed: [NSManagedObject] = []

  var isEmpty: Bool { inserted.isEmpty && refreshed.isEmpty }
}

/// References that new objects of a child context got when an ancestor was saved, until the child assigns them.
final class PendingReferences: Sendable {
  private let references = Mutex<[Int64: ObjectReference]>([:])

  func add(_ permanent: [Int64: ObjectReference]) {
    references.withLock { $0.merge(permanent) { _, new in new } }
  }

  /// All that have come since the last time, or `nil`.
  func drain() -> [Int64: ObjectReference]? {
    references.withLock { references in
      if references.isEmpty { return nil }
      defer { references = [:] }
      return references
    }
  }
}
