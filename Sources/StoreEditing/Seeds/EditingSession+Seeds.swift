import CoreData
package import Foundation
package import Seeding
import StoreExploration

extension EditingSession {
  /// The most bytes of a seed that is taken in.
  package static let largestSeed = 16 << 20
  /// The name under which the store's ledger has seeds that were pasted into a page.
  private static let seedName = "pasted.json"

  /// Finds out what a seed in JSON would change, and changes nothing.
  ///
  /// - Throws: a `SeedError` with the place in the seed; `unsavedChanges` while there are staged changes.
  package func preview(ofSeed data: Data) async throws -> SeedPreview {
    try checkNothingIsStaged()
    let coordinator = explored.coordinator
    return try await Self.apart { try Self.seeder(data).preview(in: coordinator) }
  }

  /// Takes a seed in JSON in, as a whole or not at all.
  ///
  /// - Throws: a `SeedError` with the place in the seed; `unsavedChanges` while there are staged changes.
  package func takeIn(seed data: Data) async throws -> SeedReport {
    try checkNothingIsStaged()
    let coordinator = explored.coordinator
    let report = try await Self.apart { try Self.seeder(data).runAndWait(in: coordinator) }
    await forgetUndoneEdits()
    return report
  }

  /// Nothing of before is of any use, unless somebody has staged changes while the seed was taken in.
  private func forgetUndoneEdits() async {
    await state.context.perform { [self] in
      guard !state.context.hasChanges else { return }
      state.forgetEdits()
      state.context.reset()
      publish()
    }
  }

  private func checkNothingIsStaged() throws {
    guard summary.count == 0 else {
      throw EditingFailure(
        code: .unsavedChanges,
        problem: "there are staged changes that have not been saved",
        remedy: "save or discard them before a seed is taken in"
      )
    }
  }

  /// The person has seen what the seed changes, so that it counts whether it was taken in before or not.
  private static func seeder(_ data: Data) -> Seeder {
    var source = SeedSource.data(data, name: seedName)
    source.limits.largestSize = largestSeed
    return Seeder(source, policy: .always)
  }

  /// Does work that waits for the store on a thread of its own.
  private static func apart<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
    -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
    }
  }
}
