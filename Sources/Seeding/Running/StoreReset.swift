public import CoreData
import Files
public import Foundation

extension NSPersistentContainer {
  /// Starts over: destroys the container's stores, creates them again, and seeds the first one that can be written.
  ///
  /// ```swift
  /// let plan = SeedPlan(.init("plants", .bundle(.module, "plants.json")))
  /// try await container.resetStores(seeding: plan)
  /// ```
  ///
  /// Stores of the container's descriptions that are not open, because their model has changed, are
  /// created anew, too; read-only stores remain. The view context forgets its objects. Other
  /// contexts have to be reset with `reset()`, and fetched results controllers have to fetch again.
  ///
  /// The reset is refused, and all stores remain unchanged, if another program or another coordinator of this program
  /// has a store open. For SQLite stores in WAL mode on Linux, the locks on their files show this. For a store on a
  /// server it cannot be known, so that the reset is always refused there. A plan that fails leaves the stores open,
  /// with the results of its earlier steps.
  ///
  /// - Parameters:
  ///   - plan: The seeds of the new store; nil for an empty store.
  ///   - force: True to destroy stores even if others have them open.
  ///   - progress: Receives the progress of the plan.
  ///   - state: Receives the beginning, the progress and the outcome.
  /// - Returns: The report of each step of the plan.
  /// - Throws: A `SeedError`: with the code `store-in-use` if the reset is refused, with
  ///   `store-failed` if a store cannot be destroyed or created, or an error of the plan.
  @discardableResult
  public func resetStores(
    seeding plan: SeedPlan = SeedPlan(),
    force: Bool = false,
    progress: Progress? = nil,
    state: SeedingState? = nil
  ) async throws -> [SeedPlan.StepReport] {
    state?.set(.running(fraction: 0, phase: .waiting))
    let context = viewContext
    await context.perform { context.reset() }
    let reset = StoreReset(coordinator: persistentStoreCoordinator, places: StoreReset.places(of: self), force: force)
    let outcome = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Void, any Error>, Never>) in
      DispatchQueue.global().async { continuation.resume(returning: Result { try reset.perform() }) }
    }
    if case .failure(let error) = outcome {
      state?.set(.failed(SeedError.describing(error)))
      throw error
    }
    return try await plan.run(in: self, progress: progress, state: state)
  }
}

/// Destroys stores and creates them again, in a coordinator.
// Handed to one thread, with options that are values of property lists.
package struct StoreReset: @unchecked Sendable {
  /// The properties of a store that are needed to create it again.
  package struct Place {
    let type: String
    let configuration: String?
    /// Nil for a store in memory.
    let url: URL?
    let options: [AnyHashable: Any]?

    /// Describes a store, which does not have to exist.
    package init(type: String, configuration: String? = nil, url: URL?, options: [AnyHashable: Any]? = nil) {
      self.type = type
      self.configuration = configuration
      self.url = url
      self.options = options
    }

    fileprivate init(_ store: NSPersistentStore) {
      // A store without a configuration has the name that the framework gives to all entities.
      let name = store.configurationName
      let isKnown = store.persistentStoreCoordinator?.managedObjectModel.configurations.contains(name) == true
      self.init(
        type: store.type,
        configuration: isKnown ? name : nil,
        url: store.url,
        options: store.options
      )
    }

    fileprivate init(_ description: NSPersistentStoreDescription) {
      self.init(
        type: description.type,
        configuration: description.configuration,
        url: description.url,
        options: description.options
      )
    }

    /// A SQLite store at `/dev/null` is in memory too.
    fileprivate var isInMemory: Bool {
      type == NSInMemoryStoreType || url?.isFileURL == true && url?.path == "/dev/null"
    }

    fileprivate var isFile: Bool { !isInMemory && url?.isFileURL == true }

    fileprivate func isAt(_ other: URL?) -> Bool {
      url != nil && url?.standardizedFileURL == other?.standardizedFileURL
    }
  }

  private let coordinator: NSPersistentStoreCoordinator
  private let places: [Place]
  private let force: Bool

  /// - Parameters:
  ///   - coordinator: The coordinator, in which the stores are open afterwards.
  ///   - places: Those of the stores. All stores of the coordinator that can be written are among them.
  package init(coordinator: NSPersistentStoreCoordinator, places: [Place], force: Bool) {
    self.coordinator = coordinator
    self.places = places
    self.force = force
  }

  /// The places of a container's stores, but of those that are read-only.
  fileprivate static func places(of container: NSPersistentContainer) -> [Place] {
    let open = container.persistentStoreCoordinator.persistentStores
    let described = container.persistentStoreDescriptions.filter { !$0.isReadOnly }.map { Place($0) }
    // A closed in-memory store has no data to destroy.
    let closed = described.filter { place in !place.isInMemory && !open.contains { place.isAt($0.url) } }
    return open.filter { !$0.isReadOnly }.map { Place($0) } + closed
  }

  /// Destroys and creates the stores while no run seeds them.
  ///
  /// - Throws: A `SeedError`, and then the stores that were open are open.
  package func perform() throws {
    guard let identifier = openStores.first?.identifier else { return try destroyAndCreate(openStores) }
    try SeedingLock.shared.wait(for: identifier) { try destroyAndCreate(openStores) }
  }

  private var openStores: [NSPersistentStore] { coordinator.persistentStores.filter { !$0.isReadOnly } }

  private func destroyAndCreate(_ open: [NSPersistentStore]) throws {
    var closed: [Place] = []
    func close(_ store: NSPersistentStore) throws {
      let place = Place(store)
      try coordinator.remove(store)
      closed.append(place)
    }
    do {
      // The container's own connections must not be mistaken for another program's. An in-memory store is lost when it
      // is closed, so that it stays open until the reset cannot be refused any more.
      for store in open where !Place(store).isInMemory { try close(store) }
      if !force { for place in places { try checkIsUnused(place) } }
      for store in open where Place(store).isInMemory { try close(store) }
      for place in places { try destroy(place) }
      for place in places.sorted(by: { !$0.isInMemory && $1.isInMemory }) { try create(place) }
    } catch {
      for place in closed where !isOpen(place) { try? create(place) }
      throw (error as? SeedError) ?? Self.failure(error)
    }
  }

  private func isOpen(_ place: Place) -> Bool {
    coordinator.persistentStores.contains { place.isAt($0.url) }
  }

  private func checkIsUnused(_ place: Place) throws {
    guard !place.isInMemory, let url = place.url else { return }
    guard url.isFileURL else {
      throw SeedError(
        code: .storeInUse,
        problem: "the store is on a server, where other programs may have it open without being seen",
        remedy: "end them, and force the reset"
      )
    }
    guard FileLocks.isHeld(onFileAt: url.path) else { return }
    throw SeedError(
      code: .storeInUse,
      problem: "\(url.path): another program has the store open, or another coordinator of this one",
      remedy: "close it there, or force the reset"
    )
  }

  private func destroy(_ place: Place) throws {
    // The data of an in-memory store was lost when it was closed.
    guard !place.isInMemory, let url = place.url else { return }
    if place.isFile {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    try coordinator.destroyPersistentStore(at: url, ofType: place.type, options: place.options)
  }

  private func create(_ place: Place) throws {
    try coordinator.addPersistentStore(
      ofType: place.type,
      configurationName: place.configuration,
      at: place.url,
      options: place.options
    )
  }

  private static func failure(_ error: any Error) -> SeedError {
    SeedError(
      code: .storeFailed,
      problem: "the store could not be reset: \(ErrorWords.describe(error))",
      remedy: "correct the cause and reset it again",
      underlying: error
    )
  }
}
