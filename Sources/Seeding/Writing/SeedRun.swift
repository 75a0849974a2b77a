import CoreData
import Foundation

/// One run over some seeds into one store: leave out what was done, plan, write, save.
///
/// Apple's stores are not `Sendable`; this one is only handed to its coordinator, which may be used from everywhere.
struct SeedRun: @unchecked Sendable {
  let seeder: Seeder
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let progress: SeedProgress
  /// The moment that relative dates count from, in whole seconds unless it was given.
  private let now: Date

  /// - Parameter isPreview: Whether nothing is to be written, so that the store may be read-only.
  init(
    _ seeder: Seeder,
    _ coordinator: NSPersistentStoreCoordinator?,
    _ progress: Progress?,
    isPreview: Bool = false
  ) throws {
    self.seeder = seeder
    self.progress = SeedProgress(progress)
    now =
      seeder.now ?? Date(timeIntervalSinceReferenceDate: Date().timeIntervalSinceReferenceDate.rounded(.down))
    guard let coordinator,
      let store = coordinator.persistentStores.first(where: { isPreview || !$0.isReadOnly })
    else {
      throw SeedError(
        .noStore,
        "there is no store that can be written",
        remedy: "add a store that is not read-only before seeding"
      )
    }
    self.coordinator = coordinator
    self.store = store
  }

  var storeIdentifier: String { store.identifier ?? "\(ObjectIdentifier(store))" }

  /// Seeds the store: in one transaction where it can be, in one save elsewhere.
  func performInStore() throws -> SeedReport {
    #if !canImport(Darwin)
      if coordinator.canPerformTransactions { return try performInTransaction() }
    #endif
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try perform(in: context)
  }

  /// What a flag says without a look into a store.
  func reportOfFlag() -> SeedReport? {
    guard seeder.policy.isFlagSet else { return nil }
    var report = SeedReport()
    report.seeds = seeder.sources.map { .init(name: $0.name, contentHash: nil, wasSkipped: true) }
    return report
  }

  /// Seeds through the given context, which is new and is used for nothing else.
  func perform(in context: NSManagedObjectContext) throws -> SeedReport {
    if let report = reportOfFlag() { return report }
    var report = SeedReport()
    let ledger = SeedLedger(metadata: coordinator.metadata(for: store))
    let seeds = try newSeeds(ledger, &report)
    if !seeds.isEmpty {
      try leavingOutFailures { failures in
        let intake = intake(of: seeds, failures)
        let plan = try plan(intake, failures)
        var ledger = ledger
        ledger.add(seeds, intake.counts, at: seeder.date ?? Date())
        report.add(try write(plan, in: context, ledger, failures))
        report.add(failures)
      }
    }
    seeder.policy.setFlag()
    progress.finish()
    return report
  }

  /// Loads all seeds and gives those that the store has not taken in; the others go into the report as skipped.
  func newSeeds(_ ledger: SeedLedger, _ report: inout SeedReport) throws -> [LoadedSeed] {
    var seeds: [LoadedSeed] = []
    for outcome in try seeder.sources.flatMap({ try $0.load(ledger, rereads: seeder.policy.rereads) }) {
      switch outcome {
      case .unchanged(let name, let contentHash, let error):
        let entry = contentHash.flatMap { ledger.entry(name: name, contentHash: $0) }
        report.skip(name, contentHash, entry, because: error)
      case .seed(let seed):
        let isGiven = seeds.contains { ($0.name, $0.contentHash) == (seed.name, seed.contentHash) }
        let entry = seeder.policy.entry(of: seed, in: ledger)
        if isGiven || entry != nil {
          report.skip(seed.name, seed.contentHash, entry, because: seed.fetchFailure)
        } else {
          report.take(seed)
          seeds.append(seed)
        }
      }
    }
    return seeds
  }

  func intake(of seeds: [LoadedSeed], _ failures: RecordFailures?) -> SeedIntake {
    let planner = RecordPlanner(
      coordinator.managedObjectModel,
      now: now,
      roundsDecimals: store.type == NSSQLiteStoreType
    )
    let intake = SeedIntake(seeds, planner, failures)
    progress.expect(bytes: intake.size)
    return intake
  }

  /// Plans all records that are still to be read as a whole, behind those that have been.
  func plan(
    _ intake: SeedIntake,
    after first: [SeedIntake.Numbered] = [],
    _ failures: RecordFailures?
  ) throws -> PlannedRecords {
    var planner = SeedPlanner()
    var found = RecordFailures.Found()
    func add(_ records: [SeedIntake.Numbered]) throws {
      for numbered in records {
        try found.collecting(numbered.number, if: failures != nil) { try planner.add(numbered) }
      }
    }
    try add(first)
    while !intake.isAtEnd {
      try add(try intake.records(atMost: Self.recordsAtATime))
      try progress.note(intake.bytesRead)
    }
    progress.finishPart(intake.size)
    try found.check()
    return planner.finish(intake.naturalKeys, empty: intake.emptyEntities)
  }

  /// Records that are read between two looks at the progress.
  private static let recordsAtATime = 4000

  private func write(
    _ plan: PlannedRecords,
    in context: NSManagedObjectContext,
    _ ledger: SeedLedger,
    _ failures: RecordFailures?
  ) throws -> [String: SeedReport.Counts] {
    let saving = SeedSaving(coordinator: coordinator, store: store, ledger: ledger)
    var writer = SeedWriter(plan, seeder.mode, in: context, leavesOutFailures: failures != nil)
    do {
      try context.performUncheckedAndWait { try writer.write() }
      if let parent = context.parent {
        try push(context, to: parent, saving)
      } else {
        try context.performUncheckedAndWait { try saving.saveToStore(context) }
      }
      return writer.counts
    } catch {
      throw context.performUncheckedAndWait {
        let failure = writer.failure(error)
        // What is done again begins with nothing.
        if failure is RecordFailures.Found { context.reset() }
        return failure
      }
    }
  }

  /// Saves the child, whose validation comes before anything leaves it, then the contexts above it.
  private func push(
    _ child: NSManagedObjectContext,
    to parent: NSManagedObjectContext,
    _ saving: SeedSaving
  ) throws {
    let takenOver = TakenOver(from: child, by: parent)
    try child.performUncheckedAndWait { try child.save() }
    do {
      try saving.saveChain(parent)
    } catch {
      parent.performUncheckedAndWait { takenOver.takeOut(of: parent) }
      throw error
    }
  }
}

extension SeedReport {
  fileprivate mutating func take(_ seed: LoadedSeed) {
    seeds.append(
      Seed(
        name: seed.name,
        contentHash: seed.contentHash,
        wasSkipped: false,
        fetchFailure: seed.fetchFailure?.description
      )
    )
  }

  fileprivate mutating func skip(
    _ name: String,
    _ contentHash: String?,
    _ entry: SeedLedger.Entry?,
    because error: SeedError?
  ) {
    seeds.append(
      Seed(name: name, contentHash: contentHash, wasSkipped: true, fetchFailure: error?.description)
    )
    for (entity, count) in entry?.records ?? [:] { entities[entity, default: .init()].skipped += count }
  }
}
