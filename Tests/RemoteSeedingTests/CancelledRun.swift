import CoreData
import Foundation
import RemoteSeeding
import Seeding
import Synchronization

/// A seeding that waits for hours, and is cancelled from another thread, possibly before it begins.
final class CancelledRun: Sendable {
  enum Way: CaseIterable {
    case task
    case progress
  }

  private struct State {
    var task: Task<SeedReport, any Error>?
    var isCancelled = false
  }

  private let way: Way
  private let state = Mutex(State())
  private let progress = Progress(totalUnitCount: 0)

  init(_ way: Way) { self.way = way }

  func cancel() {
    guard way == .task else { return progress.cancel() }
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Seeds a new store.
  ///
  /// - Returns: The error of the run.
  func seed(
    _ url: URL,
    fallback: SeedSource? = nil,
    _ change: (inout RemoteSeedOptions) -> Void = { _ in }
  ) async throws -> SeedError? {
    var options = RemoteSeedOptions()
    options.timeout = .seconds(36_000)
    options.totalTimeout = .seconds(100_000)
    options.largestSize = .max
    change(&options)
    let store = try TagStore()
    let seeder = Seeder(.url(url, options: options, fallback: fallback))
    let container = try store.container()
    let task = Task { [progress] in try await seeder.run(in: container, progress: progress) }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    do {
      _ = try await task.value
      return nil
    } catch let error as SeedError {
      return error
    }
  }
}

extension TagStore {
  /// A container with its own store in the same folder.
  func container() throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Tags", managedObjectModel: coordinator.managedObjectModel)
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: folder.appendingPathComponent("Container.sqlite"))
    ]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }
}
