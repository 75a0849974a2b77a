import Synchronization

/// The progress of comparing one entity.
package struct ComparisonProgress: Hashable, Sendable {
  /// The name of the entity.
  package let entity: String
  /// The number of objects read so far, in both stores and all passes.
  package internal(set) var readCount: Int
  /// The number of objects to read, as counted at the beginning.
  package let expectedCount: Int
}

/// Counts the objects that a comparison reads, and reports the progress.
final class ComparisonCounter: Sendable {
  private let progress: Mutex<ComparisonProgress>
  private let tell: @Sendable (ComparisonProgress) -> Void

  init(_ entity: String, expectedCount: Int, _ tell: @escaping @Sendable (ComparisonProgress) -> Void) {
    progress = Mutex(ComparisonProgress(entity: entity, readCount: 0, expectedCount: expectedCount))
    self.tell = tell
    tell(ComparisonProgress(entity: entity, readCount: 0, expectedCount: expectedCount))
  }

  func add(_ count: Int) {
    let present = progress.withLock { progress in
      progress.readCount += count
      return progress
    }
    tell(present)
  }
}
