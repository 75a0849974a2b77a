import CoreData
package import Foundation
package import Seeding
import StoreExploration

extension EditingSession {
  /// The greatest size of a seed that can be loaded, in bytes.
  package static let largestSeed = 16 << 20
  /// The name of pasted seeds in the store's ledger.
  private static let seedName = "pasted.json"

  /// Finds the changes that a seed in JSON would make, and does not make them.
  ///
  /// - Throws: a `SeedError` with the position in the seed, or `unsavedChanges` if there are staged changes.
  package func preview(ofSeed data: Data) async throws -> SeedPreview {
    try checkNothingIsStaged()
    let coordinator = explored.coordinator
    return try await Self.apart { try Self.seeder(data).preview(in: coordinator) }
  }

  /// Loads a seed in JSON. Either all of it is loaded or nothing.
  ///
  /// - Throws: a `SeedError` with the position in the seed, or `unsavedChanges` if there are staged changes.
  package func takeIn(seed data: Data) async throws -> SeedReport {
    try checkNothingIsStaged()
    let coordinator = explored.coordinator
    let report = try await Self.apart { try Self.seeder(data).runAndWait(in: coordinator) }
    await forgetUndoneEdits()
    return report
  }

  /// Forgets undo actions and loaded values from before the seed, unless a change was staged in the meantime.
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
        remedy: "save or discard them before a seed is imported"
      )
    }
  }

  /// The seed is always loaded, even if the ledger already has it, because the person has seen its changes.
  private static func seeder(_ data: Data) -> Seeder {
    var source = SeedSource.data(data, name: seedName)
    source.limits.largestSize = largestSeed
    return Seeder(source, policy: .always)
  }

  /// Runs work that waits for the store on another thread.
  private static func apart<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
    -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
    }
  }
}
