import Foundation

/// Parts of a `Progress` for the steps of a plan.
struct SeedPlanProgress {
  private let progress: Progress?

  init(_ progress: Progress?, count: Int) {
    self.progress = progress
    progress?.totalUnitCount = Int64(max(count, 1))
    if count == 0 { progress?.completedUnitCount = 1 }
  }

  /// The part of the next step.
  ///
  /// - Throws: A `SeedError` with the code `cancelled` when the whole was cancelled.
  func next() throws -> Progress? {
    guard let progress else { return nil }
    guard !progress.isCancelled else {
      throw SeedError(.cancelled, "seeding was cancelled before the step began", remedy: "run the plan again")
    }
    let part = Progress(totalUnitCount: 1)
    progress.addChild(part, withPendingUnitCount: 1)
    return part
  }
}
