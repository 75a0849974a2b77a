public import CoreData

/// Fills a store with the records of seeds: by natural key, in one save, once.
///
///     let report = try await Seeder(.bundle(.main, "seed.json")).run(in: container)
///
/// Records are objects of JSON lists whose keys name entities, in the plural or as the model spells them; a
/// relationship is given by the natural key of what it leads to (see `SeedError` for what can be wrong with them).
/// A record whose natural key an object in the store has changes that object where it differs; all others are
/// inserted. Every error is found before the first save, so that a seed is in the store as a whole or not at all.
public struct Seeder: Sendable {
  /// The seeds, which may refer to each other's objects.
  public var sources: [SeedSource]

  /// When a seed is taken in again.
  public var policy: SeedPolicy

  /// Creates a seeder. Nothing is read before it runs.
  public init(_ sources: SeedSource..., policy: SeedPolicy = .oncePerContent) {
    self.init(sources, policy: policy)
  }

  /// Creates a seeder of a list of seeds.
  public init(_ sources: [SeedSource], policy: SeedPolicy = .oncePerContent) {
    self.sources = sources
    self.policy = policy
  }

  /// Seeds the first writable store of a container, in a background context that saves straight to the store.
  ///
  /// The container's view context sees the objects in its next fetch, or at once when it merges changes
  /// automatically. Throws a `SeedError`, and then the store is as it was.
  @discardableResult
  public func run(in container: NSPersistentContainer) async throws -> SeedReport {
    let run = try SeedRun(self, container.persistentStoreCoordinator)
    return try await SeedTurns.shared.wait(for: run.storeIdentifier) {
      let context = container.newBackgroundContext()
      return try await context.perform { try run.perform(in: context) }
    }
  }

  /// Seeds the first writable store of a coordinator and returns when it is done. Throws a `SeedError`, and then the
  /// store is as it was.
  @discardableResult
  public func runAndWait(in coordinator: NSPersistentStoreCoordinator) throws -> SeedReport {
    let run = try SeedRun(self, coordinator)
    return try SeedTurns.shared.wait(for: run.storeIdentifier) {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try run.perform(in: context)
    }
  }

  /// Seeds through a private child of a context, saves the child, the context and its parents up to the store, and
  /// returns when it is done.
  ///
  /// Unsaved changes of the context go to the store along with the seed, because a save takes all of a context. When
  /// a save fails, what the seed brought is taken out of the context again and its own changes stay. May be called
  /// from any thread that does not keep the context's queue from running. Throws a `SeedError`.
  @discardableResult
  public func runAndWait(with context: NSManagedObjectContext) throws -> SeedReport {
    let run = try SeedRun(self, context.rootCoordinator)
    return try SeedTurns.shared.wait(for: run.storeIdentifier) {
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = context
      return try run.perform(in: child)
    }
  }
}

extension NSManagedObjectContext {
  /// The coordinator that the context's saves reach in the end.
  fileprivate var rootCoordinator: NSPersistentStoreCoordinator? {
    persistentStoreCoordinator ?? parent?.rootCoordinator
  }
}
