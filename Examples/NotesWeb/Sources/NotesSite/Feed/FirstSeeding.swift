import Foundation
import Logging
package import Seeding
import ServiceLifecycle
import Synchronization

/// Takes in the notes that come with the program, in the background of the first launch.
package final class FirstSeeding: Service {
  private let store: NoteStore
  private let seeder: Seeder
  private let current = Mutex(SeedingStage.waiting)
  private let logger = Logger(label: "notes.seeding")

  /// - Parameters:
  ///   - store: The notes.
  ///   - seeds: What to take in; the seed of the example Notes unless given.
  package init(_ store: NoteStore, seeds: [SeedSource]? = nil) {
    self.store = store
    seeder = Seeder(seeds ?? [.bundle(.module, "seed.json")], policy: .oncePerName)
  }

  /// How far it is.
  package var state: SeedingStage { current.withLock { $0 } }

  /// Seeds, unless the store ever took the seeds in, and stays until the server ends.
  ///
  /// A server that ends meanwhile leaves the store as it was, and the next launch begins anew.
  package func run() async throws {
    await cancelWhenGracefulShutdown { await self.seed() }
    // A service that returns ends its group.
    try? await gracefulShutdown()
  }

  /// Seeds, and tells of it.
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

/// Says when it moves: Foundation has no observation of key paths outside of Apple's platforms.
private final class ReportedProgress: Progress, @unchecked Sendable {
  // Sendable since the state is guarded, and the report is a constant.
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

  /// Tells of whole percents and of phases, so that a large seed makes a hundred events and not a million.
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
