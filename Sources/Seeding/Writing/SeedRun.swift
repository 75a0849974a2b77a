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
    try seeder.checkCreateOnly(coordinator.managedObjectModel)
  }

  var storeIdentifier: String { store.identifier ?? "\(ObjectIdentifier(store))" }

  var model: NSManagedObjectModel { coordinator.managedObjectModel }

  /// What the store has taken in, as far as the coordinator knows it: in a transaction that is all.
  var ledger: SeedLedger { SeedLedger(metadata: coordinator.metadata(for: store)) }

  /// What the store has taken in by now. Another process may have seeded it since the coordinator read its metadata.
  var currentLedger: SeedLedger {
    guard store.type == NSSQLiteStoreType, let url = store.url,
      let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType,
        at: url,
        options: store.options
      ),
      metadata[NSStoreUUIDKey] as? String == store.identifier
    else { return ledger }
    return SeedLedger(metadata: metadata)
  }

  /// Seeds the store: in one transaction where it can be, in one save elsewhere.
  func performInStore() throws -> SeedReport {
    #if !canImport(Darwin)
      if coordinator.canPerformTransactions { return try perform(takeInTransaction) }
    #endif
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try perform(in: context)
  }

  /// Seeds through the given context, which is new and is used for nothing else.
  func perform(in context: NSManagedObjectContext) throws -> SeedReport {
    try perform { choice, report, _, failures in try takeIn(choice, report, by: context, failures) }
  }

  // MARK: - Steps

  /// How seeds are taken in. May throw `NeedsWholeRun` or `NeedsStandingSeeds`, and is done again then.
  private typealias TakingIn = (SeedChoice, SeedReport, _ inPieces: Bool, RecordFailures?) throws ->
    SeedReport

  private func perform(_ takeIn: TakingIn) throws -> SeedReport {
    if let report = reportOfFlag() { return report }
    try progress.check()
    var report = SeedReport()
    let choice = try choose(currentLedger, &report)
    if !choice.isEmpty { report = try again(choice, report, takeIn) }
    seeder.policy.setFlag()
    progress.finish()
    return report
  }

  /// What a flag says without a look into a store.
  private func reportOfFlag() -> SeedReport? {
    guard seeder.policy.isFlagSet else { return nil }
    progress.finish()
    var report = SeedReport()
    report.seeds = seeder.sources.map { .init(name: $0.name, contentHash: nil, wasSkipped: true) }
    return report
  }

  /// Takes the seeds in; once more, with more at hand, where that is what they need.
  private func again(_ choice: SeedChoice, _ report: SeedReport, _ takeIn: TakingIn) throws -> SeedReport {
    try attempts(choice) { choice, inPieces in
      try leavingOutFailures { failures in
        var report = try takeIn(choice, report, inPieces, failures)
        report.add(failures)
        return report
      }
    }
  }

  /// Does something with the seeds that are to be taken in, and with those that the store has where these are needed.
  func attempts<Result>(_ choice: SeedChoice, _ body: (SeedChoice, _ inPieces: Bool) throws -> Result) throws
    -> Result
  {
    var inPieces = true
    var readsStanding = seeder.effectivePruning == .all
    while true {
      do {
        return try body(readsStanding ? choice : choice.withoutStanding, inPieces)
      } catch is NeedsWholeRun where inPieces {
        inPieces = false
      } catch is NeedsStandingSeeds where !readsStanding {
        readsStanding = true
      }
    }
  }

  /// Takes seeds in by one save of a context.
  private func takeIn(
    _ choice: SeedChoice,
    _ report: SeedReport,
    by context: NSManagedObjectContext,
    _ failures: RecordFailures?
  ) throws -> SeedReport {
    let intake = intake(of: choice, failures)
    let plan = try plan(intake, mayLack: choice, failures)
    let ledger = currentLedger
    let account = SeedAccount(seeder, choice.seeds, ledger, model)
    var writer = writer(of: plan, account, in: context, failures)
    progress.tell(.writing)
    do {
      try context.performUncheckedAndWait { try writer.write() }
      let entries = entries(choice, intake, account, writer.pruned, in: ledger)
      try progress.check()
      progress.tell(.saving)
      try SeedSaving(self, choice.taken, ledger: entries).save(context)
    } catch {
      throw context.performUncheckedAndWait {
        let failure = writer.failure(error)
        // What is done again begins with nothing.
        if failure is RecordFailures.Found { context.reset() }
        return failure
      }
    }
    return report.adding(writer.counts, account.conflicts)
  }

  func intake(of choice: SeedChoice, _ failures: RecordFailures?) -> SeedIntake {
    let planner = RecordPlanner(
      model,
      createOnly: seeder.createOnly,
      now: now,
      roundsDecimals: store.type == NSSQLiteStoreType
    )
    let intake = SeedIntake(choice.seeds, planner, failures)
    progress.expect(bytes: intake.size)
    return intake
  }

  /// Plans all records that are still to be read as a whole, behind those that have been. Throws `NeedsStandingSeeds` where a
  /// label is missing that may be in them.
  func plan(
    _ intake: SeedIntake,
    after first: [SeedIntake.Numbered] = [],
    mayLack choice: SeedChoice,
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
      try progress.note(intake.bytesRead, isWhole: true)
    }
    progress.finishPart(intake.size)
    try found.check()
    if planner.lacksLabels, choice.leavesOutStanding { throw NeedsStandingSeeds() }
    return planner.finish(intake.naturalKeys, model, empty: intake.emptyEntities)
  }

  /// Records that are read between two looks at the progress.
  private static let recordsAtATime = 4000

  func writer(
    of plan: PlannedRecords,
    _ account: SeedAccount,
    in context: NSManagedObjectContext,
    _ failures: RecordFailures?
  ) -> SeedWriter {
    SeedWriter(plan, seeder, account, progress, in: context, leavesOutFailures: failures != nil)
  }

  // MARK: - The account

  /// The account of the store with what the run has taken in.
  /// - Parameters:
  ///   - pruned: The objects that the run has deleted, by entity.
  ///   - ledger: The account before.
  func entries(
    _ choice: SeedChoice,
    _ intake: SeedIntake,
    _ account: SeedAccount,
    _ pruned: [String: DigestList],
    in ledger: SeedLedger
  ) -> SeedLedger {
    var ledger = ledger
    let date = seeder.date ?? Date()
    for (number, seed) in choice.seeds.enumerated() where !seed.isStanding {
      ledger.add(seed, intake.counts[number], account.objects(ofSeed: number, without: pruned), at: date)
    }
    ledger.remove(pruned, besides: choice.taken, in: model)
    return ledger
  }
}

/// Thrown where a label is missing that seeds may have which the store has already.
struct NeedsStandingSeeds: Error {}

extension SeedReport {
  /// The report with what became of a run's records.
  func adding(_ counts: [String: Counts], _ conflicts: [Conflict]) -> SeedReport {
    var report = self
    report.add(counts)
    report.conflicts += conflicts
    return report
  }
}
