import Foundation
import Logging
package import Seeding
import ServiceLifecycle
import Synchronization

/// Loads the notes of the program's seed in the background of the first launch.
package final class FirstSeeding: Service {
  private let store: NoteStore
  private let seeder: Seeder
  private let current = Mutex(SeedingStage.waiting)
  private let logger = Logger(label: "notes.seeding")

  /// - Parameters:
  ///   - store: The store of the notes.
  ///   - seeds: The seeds to load; by default the seed of the example Notes.
  package init(_ store: NoteStore, seeds: [SeedSource]? = nil) {
    self.store = store
    seeder = Seeder(seeds ?? [.bundle(.module, "seed.json")], policy: .oncePerName)
  }

  /// The present stage.
  package var state: SeedingStage { current.withLock { $0 } }

  /// Loads the seeds, unless the store has ever loaded them, and runs until the server ends.
  ///
  /// If the server ends in the meantime, the store does not change, and the next launch starts again.
  package func run() async throws {
    await cancelWhenGracefulShutdown { await self.seed() }
    // If a service returned, its group would end.
    try? await gracefulShutdown()
  }

  /// Loads the seeds, and sends events about the progress.
  package func seed() async {
    do {
      let report = try await seeder.run(in: store.container, progress: ReportedProgress { self.tell($0) })
      tell(.finished(created: report.entities["Note"]?.created ?? 0))
    } catch let error as SeedError where error.code == .cancelled {
      tell(.waiting)
    } catch {
      logger.error("the first notes could not be taken in: \(error)")
      tell(
        .failed(
          "The first notes could not be taken in; the server's log says why. It tries again when it is started."
        )
      )
    }
  }

  private func tell(_ state: SeedingStage) {
    current.withLock { $0 = state }
    store.feed.subscribers.send(.seeding(state))
  }
}

/// Reports its changes, because Foundation on Linux cannot observe key paths.
private final class ReportedProgress: Progress, @unchecked Sendable {
  // It is Sendable because a mutex guards the state and the closure is a constant.
  private struct State {
    var phase = ""
    var percent = -1
  }

  private let state = Mutex(State())
  private let report: @Sendable (SeedingStage) -> Void

  init(_ report: @escaping @Sendable (SeedingStage) -> Void) {
    self.report = report
    super.init(parent: nil, userInfo: nil)
  }

  override var completedUnitCount: Int64 {
    didSet { tell(nil) }
  }

  override func setUserInfoObject(_ objectOrNil: Any?, forKey key: ProgressUserInfoKey) {
    super.setUserInfoObject(objectOrNil, forKey: key)
    if key == .seedPhase { tell(objectOrNil as? String) }
  }

  /// Reports only whole percents and phases, so that a large seed makes a hundred events instead of a million.
  private func tell(_ phase: String?) {
    let percent = Int(fractionCompleted * 100)
    let phase = state.withLock { state -> String? in
      guard phase.map({ $0 != state.phase }) ?? (percent != state.percent) else { return nil }
      if let phase { state.phase = phase }
      state.percent = percent
      return state.phase
    }
    if let phase { report(.running(Double(percent) / 100, phase)) }
  }
}
