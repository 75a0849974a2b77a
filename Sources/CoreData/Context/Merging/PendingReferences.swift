import Synchronization

/// References that new objects of a child context got when an ancestor was saved, until the child
/// assigns them.
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
