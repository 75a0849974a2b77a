public import CoreData
public import Foundation

/// Fills a store with the records of seeds: by natural key, in one save, once.
///
/// ```swift
/// let seeder = Seeder(.bundle(.module, "plants.json"), .bundle(.module, "beds.csv"))
/// let report = try await seeder.run(in: container)
/// print(report)
/// ```
///
/// Records are objects of JSON lists whose keys name entities, in the plural or as the model spells them. A
/// relationship is given by the natural key of its destination (see `SeedError` for possible errors). If an object in
/// the store has a record's natural key, the record updates the object where it differs; all other records are
/// inserted, and nothing is deleted. A `SeedProfile` decides how to treat users' changes and deletions. A seed is saved
/// as a whole or not at all, unless records with errors are to be left out (`SeedFailureHandling`).
///
/// If the only store of a coordinator or container is in SQLite or PostgreSQL, the whole run is one database
/// transaction. Seeds of more than 20,000 records are read, checked and saved a few thousand records at a time; a file
/// in JSON Lines, JSON or a table is then never in memory as a whole. Only there, two processes that seed at the same
/// time seed once. With other stores, through a parent context, and on Apple's platforms, the run is a single save.
public struct Seeder: Sendable {
  /// The seeds, which may refer to each other's objects.
  public var sources: [SeedSource]

  /// The profile that the seeder was created with, which states the settings below; nil where an expert sets them
  /// apart. Settings that the profile does not go with end the run with an error of the code `wrong-plan`.
  public let profile: SeedProfile?

  /// The effect of the seeds on objects that are in the store.
  public var mode: SeedMode

  /// The conditions under which a seed is imported again.
  public var policy: SeedPolicy

  /// The handling of records that are wrong.
  public var onFailure: SeedFailureHandling

  /// The objects without a record in the seeds that are deleted.
  ///
  /// ```swift
  /// var seeder = Seeder(.bundle(.module, "plants.json"))
  /// seeder.pruning = .all
  /// let report = try await seeder.run(in: container)
  /// print(report.total.deleted)  // 1
  /// ```
  public var pruning = SeedPruning.none

  /// The rule for values that both a user and the seed have changed, in the mode `merge`.
  public var conflictPolicy = SeedConflictPolicy.keepStore

  /// True to insert an object of the seed again when its record is imported, if a user has deleted the object. If
  /// false, records that refer to such an object are written without the reference, and records that require it are
  /// skipped. The store's ledger knows the seed's objects by their natural keys (see `SeedPruning.own`).
  public var restoresDeletedObjects = true

  /// The names of create-only attributes and relationships, by entity. Records set these properties of new objects
  /// only, and existing values are never changed. A model declares them by `seed.createOnly` in the user info of a
  /// property, a seed by `$createOnly` in its header; in the mode `createOnly` all properties are create-only. The
  /// names given for an entity also apply to its subentities.
  ///
  /// ```swift
  /// var seeder = Seeder(.bundle(.module, "plants.json"))
  /// seeder.createOnly = ["Plant": ["water"]]
  /// try await seeder.run(in: container)
  /// ```
  public var createOnly: [String: Set<String>] = [:]

  /// The moment that relative dates such as `{"$now": "-3d"}` count from; nil for the time of the
  /// run. Tests, and stores that are to be the same each time they are made, set it:
  ///
  /// ```swift
  /// var seeder = Seeder(.bundle(.module, "demo.json"))
  /// seeder.now = Date(timeIntervalSince1970: 1_710_633_600)
  /// ```
  public var now: Date?

  /// True to let the profile `reset` run outside of development. A program is in development when the environment
  /// variable `PERENNIAL_ENVIRONMENT` is `development`; without that variable, when it was built for debugging.
  public var allowsReset = false

  /// True where stores may be lost.
  package var isInDevelopment = Development.isHere

  /// The time that the store's ledger gives; nil for the time of the run.
  package var date: Date?

  /// True if a preview only compares: records may refer to objects that a run would delete.
  package var isComparison = false

  /// The number of records below which they are planned as a whole, and go in with one save; as many
  /// and more are imported piece by piece where they can.
  package var mostRecordsAtOnce = 20_000

  /// The number of records in a piece.
  package var recordsInPiece = 4000

  /// The number of objects that are held, while pieces go in, because records refer to them.
  package var mostDestinationsAtHand = 20_000

  /// Creates a seeder. Nothing is read before it runs.
  public init(
    _ sources: SeedSource...,
    mode: SeedMode = .upsert,
    policy: SeedPolicy = .oncePerContent,
    onFailure: SeedFailureHandling = .stop
  ) {
    self.init(sources, mode: mode, policy: policy, onFailure: onFailure)
  }

  /// Creates a seeder of a list of seeds.
  public init(
    _ sources: [SeedSource],
    mode: SeedMode = .upsert,
    policy: SeedPolicy = .oncePerContent,
    onFailure: SeedFailureHandling = .stop
  ) {
    profile = nil
    self.sources = sources
    self.mode = mode
    self.policy = policy
    self.onFailure = onFailure
  }

  /// Creates a seeder by a profile. Nothing is read before it runs.
  /// - Parameters:
  ///   - sources: The seeds, in the order in which they are read.
  ///   - profile: The way that the seeds and the store's users go together.
  ///   - policy: The conditions under which a seed is imported again; nil for those of the profile.
  ///   - onFailure: The handling of records that are wrong.
  public init(
    _ sources: SeedSource...,
    profile: SeedProfile,
    policy: SeedPolicy? = nil,
    onFailure: SeedFailureHandling = .stop
  ) {
    self.init(sources, profile: profile, policy: policy, onFailure: onFailure)
  }

  /// Creates a seeder of a list of seeds by a profile.
  public init(
    _ sources: [SeedSource],
    profile: SeedProfile,
    policy: SeedPolicy? = nil,
    onFailure: SeedFailureHandling = .stop
  ) {
    self.profile = profile
    self.sources = sources
    mode = profile.mode
    pruning = profile.pruning
    restoresDeletedObjects = profile.restoresDeletedObjects
    self.policy = policy ?? profile.policy
    self.onFailure = onFailure
  }

  /// Seeds the first writable store of a container, in a background context that saves straight to the store.
  ///
  /// The container's view context sees the objects in its next fetch, or at once if it merges changes automatically.
  /// Cancelling the task also ends the run with an error of the code `cancelled`, unless everything is saved already.
  ///
  /// ```swift
  /// let progress = Progress(totalUnitCount: 0)
  /// let report = try await Seeder(.bundle(.module, "plants.json")).run(in: container, progress: progress)
  /// print(progress.fractionCompleted, report.total.created)  // 1.0 2
  /// ```
  ///
  /// - Parameters:
  ///   - container: The container. Its stores have to be loaded.
  ///   - progress: Reports the progress of the run in bytes of the seeds, and its phase
  ///     (`SeedPhase`). Cancelling it ends the run with an error of the code `cancelled`.
  ///   - state: Receives the run's beginning, progress and outcome, for a screen that shows them.
  /// - Throws: A `SeedError`; the store is then unchanged.
  @discardableResult
  public func run(
    in container: NSPersistentContainer,
    progress: Progress? = nil,
    state: SeedingState? = nil
  ) async throws -> SeedReport {
    let part = state.map { SeedingPart(state: $0) }
    return try await state.following {
      try await run(in: container.persistentStoreCoordinator, progress: progress, part: part)
    } report: {
      $0
    }
  }

  /// Runs on a thread of its own.
  func run(in coordinator: NSPersistentStoreCoordinator, progress: Progress?, part: SeedingPart?)
    async throws -> SeedReport
  {
    try await SeedRun(seeder: self, coordinator: coordinator, progress: progress, part: part)
      .performInBackground { try $0.performInStore() }
  }

  /// Seeds the first writable store of a coordinator and returns when it is done.
  ///
  /// ```swift
  /// let seeder = Seeder(.bundle(.module, "plants.json"))
  /// let report = try seeder.runAndWait(in: container.persistentStoreCoordinator)
  /// ```
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator. Its stores have to be open.
  ///   - progress: Reports the progress of the run in bytes of the seeds, and its phase (`SeedPhase`). Cancelling it,
  ///     from another thread, ends the run with an error of the code `cancelled`.
  ///   - state: Receives the run's beginning, progress and outcome, for a screen that shows them.
  /// - Throws: A `SeedError`; the store is then unchanged.
  @discardableResult
  public func runAndWait(
    in coordinator: NSPersistentStoreCoordinator,
    progress: Progress? = nil,
    state: SeedingState? = nil
  ) throws -> SeedReport {
    let part = state.map { SeedingPart(state: $0) }
    return try state.following {
      try runAndWait(in: coordinator, progress: progress, part: part)
    } report: {
      $0
    }
  }

  /// Runs on the caller's thread.
  func runAndWait(in coordinator: NSPersistentStoreCoordinator, progress: Progress?, part: SeedingPart?)
    throws -> SeedReport
  {
    try SeedRun(seeder: self, coordinator: coordinator, progress: progress, part: part).performAndWait {
      try $0.performInStore()
    }
  }

  /// Seeds through a private child of a context, saves the child, the context and its parents up to
  /// the store, and returns when it is done.
  ///
  /// Unsaved changes of the context are saved together with the seed, because a save includes all
  /// changes of a context. If the save fails, the seed's changes are removed from the context and
  /// its own changes remain. May be called from any thread that does not block the context's queue.
  ///
  /// ```swift
  /// let background = container.newBackgroundContext()
  /// try Seeder(.bundle(.module, "plants.json")).runAndWait(with: background)
  /// print(background.hasChanges)  // false: all is saved
  /// ```
  ///
  /// - Throws: A `SeedError`.
  @discardableResult
  public func runAndWait(
    with context: NSManagedObjectContext,
    progress: Progress? = nil,
    state: SeedingState? = nil
  ) throws -> SeedReport {
    let part = state.map { SeedingPart(state: $0) }
    return try state.following {
      let run = try SeedRun(
        seeder: self,
        coordinator: context.rootCoordinator,
        progress: progress,
        part: part
      )
      return try run.performAndWait { run in
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        return try run.perform(in: child)
      }
    } report: {
      $0
    }
  }
}

extension Seeder {
  /// The objects that are deleted after the records are written: none if all were deleted before.
  var effectivePruning: SeedPruning { mode == .replace ? .none : pruning }
}

extension NSManagedObjectContext {
  /// The coordinator that the context's saves reach in the end.
  fileprivate var rootCoordinator: NSPersistentStoreCoordinator? {
    persistentStoreCoordinator ?? parent?.rootCoordinator
  }
}
