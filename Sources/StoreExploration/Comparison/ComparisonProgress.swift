import Synchronization

/// How far the comparison of an entity is.
public struct ComparisonProgress: Hashable, Sendable {
  /// The name of the entity.
  public let entity: String
  /// The number of objects that were read, in both stores and all passes.
  public internal(set) var readCount: Int
  /// The number of objects that are to be read, as counted at the beginning.
  public let expectedCount: Int
}

/// Counts the objects that a comparison reads, and tells of it.
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
