import Foundation

/// Tells a `Progress` how many bytes of the seeds were read, and asks it whether to stop.
final class SeedProgress {
  private let progress: Progress?
  private var expected: Int64 = 0
  private var finished: Int64 = 0

  init(_ progress: Progress?) { self.progress = progress }

  /// More is to be read: bytes that are read a second time count a second time.
  func expect(bytes: Int) {
    expected += Int64(bytes)
    // What has nothing to do is finished when it has ended.
    progress?.totalUnitCount = max(expected, 1)
  }

  /// Throws `SeedError.Code.cancelled` when the progress was cancelled.
  /// - Parameter bytes: How many were read of the seed at hand.
  func note(_ bytes: Int) throws {
    progress?.completedUnitCount = finished + Int64(bytes)
    guard progress?.isCancelled == true else { return }
    throw SeedError(.cancelled, "seeding was cancelled, and the store is as it was", remedy: "seed again")
  }

  func finishPart(_ bytes: Int) { finished += Int64(bytes) }

  func finish() {
    guard let progress else { return }
    progress.completedUnitCount = progress.totalUnitCount
  }
}
