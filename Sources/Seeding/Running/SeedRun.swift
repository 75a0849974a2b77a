import CoreData
import Foundation

/// One run of some seeds into one store: skip imported seeds, plan, write, save.
///
/// Apple's stores are not `Sendable`; this one is only handed to its coordinator, which may be used from everywhere.
struct SeedRun: @unchecked Sendable {
  let seeder: Seeder
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let progress: SeedProgress
  /// The moment that relative dates count from, in whole seconds unless it was given.
  private let now: Date

  /// - Parameters:
  ///   - part: The part of a state that receives the run's progress.
  ///   - isPreview: True if nothing will be written, so that the store may be read-only.
  init(
    seeder: Seeder,
    coordinator: NSPersistentStoreCoordinator?,
    progress: Progress?,
    part: SeedingPart? = nil,
    isPreview: Bool = false
  ) throws {
    try seeder.checkProfile(isPreview: isPreview)
    self.seeder = seeder
    self.progress = SeedProgress(progress: progress, part: part)
    now =
      seeder.now ?? Date(timeIntervalSinceReferenceDate: Date().timeIntervalSinceReferenceDate.rounded(.down))
    guard let coordinator,
      let store = coordinator.persistentStores.first(where: { isPreview || !$0.isReadOnly })
    else {
      throw SeedError(
        code: .noStore,
        problem: "there is no store that can be written",
        remedy: "add a store that is not read-only before seeding"
      )
    }
    self.coordinator = coordinator
    self.store = store
    try seeder.checkCreateOnly(coordinator.managedObjectModel)
  }

  var storeIdentifier: String { store.identifier ?? "\(ObjectIdentifier(store))" }

  var model: NSManagedObjectModel { coordinator.managedObjectModel }

  /// The ledger of the store, as far as the coordinator knows it: in a transaction that is all.
  var ledger: SeedLedger { SeedLedger(metadata: coordinator.metadata(for: store)) }

  /// The ledger of the store as it is now. Another process may have seeded it since the coordinator read its metadata.
  var currentLedger: SeedLedger {
    guard store.isShared, let url = store.url,
      let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: store.type,
        at: url,
        options: store.options
      ),
      metadata[NSStoreUUIDKey] as? String == store.identifier
    else { return ledger }
    return SeedLedger(metadata: metadata)
  }

  /// Performs the run while no other run seeds the store.
  func performAndWait(_ work: (SeedRun) throws -> SeedReport) throws -> SeedReport {
    try SeedingLock.shared.wait(for: storeIdentifier) { try work(self) }
  }

  /// The same on a separate thread. Cancelling the task ends the run.
  func performInBackground(_ work: @escaping @Sendable (SeedRun) throws -> SeedReport) async throws
    -> SeedReport
  {
    let cancellation = progress.cancellation
    return try await withTaskCancellationHandler {
      try await SeedingLock.shared.wait(for: storeIdentifier) {
        let outcome = await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(returning: Result { try work(self) }) }
        }
        return try outcome.get()
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Seeds the store: in one transaction where it can be, in one save elsewhere.
  func performInStore() throws -> SeedReport {
    #if !canImport(Darwin)
      if coordinator.canPerformTransactions { return try perform(TransactionDestination(run: self)) }
    #endif
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try perform(in: context)
  }

  /// Seeds through the given context, which is new and has no other use.
  func perform(in context: NSManagedObjectContext) throws -> SeedReport {
    try perform(ContextDestination(run: self, context: context))
  }

  private func perform(_ destination: some SeedDestination) throws -> SeedReport {
    if let report = reportOfFlag() { return report }
    try progress.check()
    var report = SeedReport()
    let choice = try choose(currentLedger, report: &report)
    if !choice.isEmpty {
      report = try attempts(choice, report: report) { try importSeeds($0, into: destination) }
    }
    seeder.policy.setFlag()
    progress.finish()
    return report
  }

  /// The report that a flag allows without a look into a store; nil where none is set.
  private func reportOfFlag() -> SeedReport? {
    guard seeder.policy.isFlagSet else { return nil }
    progress.finish()
    var report = SeedReport()
    report.seeds = seeder.sources.map { .init(name: $0.name, contentHash: nil, wasSkipped: true) }
    return report
  }

  // MARK: - Steps

  /// Reads the first records, has the destination open the store, writes into it, and has that saved with the ledger.
  ///
  /// Seeds that are planned as a whole are read before the store is locked, so that other processes
  /// can write meanwhile.
  private func importSeeds(_ attempt: SeedAttempt, into destination: some SeedDestination) throws
    -> SeedReport
  {
    var attempt = attempt
    var reading = try beginReading(attempt, atMost: destination.mostRecordsAtOnce)
    return try destination.save { context, ledger in
      if skipImportedMeanwhile(&attempt, ledger: ledger) {
        if attempt.choice.isEmpty { return .nothing(attempt.report) }
        reading = try beginReading(attempt, atMost: destination.mostRecordsAtOnce)
      }
      progress.tell(.writing)
      let author = SeedAuthor(attempt.choice.pending)
      author.sign(context)
      #if !canImport(Darwin)
        // Records are not ordered in a way that would free a unique value before another record takes it.
        context.exchangesUniqueValues = true
      #endif
      let draft = LedgerDraft(seeder: seeder, seeds: attempt.choice.seeds, ledger: ledger, model: model)
      let records = try write(attempt, reading: reading, draft: draft, in: context)
      try progress.check()
      progress.tell(.saving)
      return WrittenSeeds(
        ledger: entries(
          attempt.choice,
          intake: reading.intake,
          draft: draft,
          pruned: records.pruned,
          in: ledger
        ),
        author: author,
        report: attempt.report(adding: records.counts, conflicts: draft.conflicts),
        failure: records.failure
      )
    }
  }

  /// Finds the seeds that another process has imported since the run began.
  /// - Returns: True if there are any.
  private func skipImportedMeanwhile(_ attempt: inout SeedAttempt, ledger: SeedLedger) -> Bool {
    let seeds = attempt.choice.seeds
    let places = seeds.indices.filter { place in
      !seeds[place].isUnchangedSeed && seeder.policy.entry(of: seeds[place], in: ledger) != nil
    }
    // If all objects are created anew, unchanged seeds are imported, too.
    guard !places.isEmpty, seeder.mode != .replace || places.count == attempt.choice.pending.count else {
      return false
    }
    attempt.report.skip(places.map { seeds[$0] }, ledger: ledger)
    for place in places { attempt.choice.seeds[place].isUnchangedSeed = true }
    return true
  }

  /// Writes records into a context: as a whole where all have been read, else piece by piece.
  private func write(
    _ attempt: SeedAttempt,
    reading: SeedReading,
    draft: LedgerDraft,
    in context: NSManagedObjectContext
  ) throws -> WrittenRecords {
    #if !canImport(Darwin)
      if !reading.intake.isAtEnd {
        let writer = StreamedWriter(
          context: context,
          store: store,
          model: model,
          seeder: seeder,
          ledger: draft,
          failures: attempt.failures
        )
        writer.leavesOutUnchanged = attempt.choice.leavesOutUnchanged
        return try StreamedSeeding(run: self, intake: reading.intake, writer: writer, ledger: draft).write(
          reading.first
        )
      }
    #endif
    var writer = writer(of: try plan(reading, attempt: attempt), draft: draft, in: context, attempt: attempt)
    do {
      try writer.write()
    } catch {
      throw writer.failure(error)
    }
    return WrittenRecords(counts: writer.counts, pruned: writer.pruned, failure: writer.failure)
  }

  // MARK: - Records

  /// Seeds that load more bytes than this from files are not planned as a whole.
  static let mostFileBytesAtOnce = 256 << 20

  /// Records that are read between two looks at the progress.
  private static let recordsAtATime = 4000

  /// Reads the first records, all of them where the attempt is not in pieces.
  func beginReading(_ attempt: SeedAttempt, atMost most: Int = .max) throws -> SeedReading {
    let most = attempt.isInPieces ? most : .max
    let mostFileBytes = most == .max ? Int.max : Self.mostFileBytesAtOnce
    let intake = intake(of: attempt.choice, failures: attempt.failures)
    var first: [SeedRecordStream.Numbered] = []
    while !intake.isAtEnd, first.count < most, intake.fileBytes < mostFileBytes {
      first += try intake.records(
        atMost: min(Self.recordsAtATime, most - first.count),
        fileBytes: mostFileBytes - intake.fileBytes
      )
      try progress.reportRead(intake.bytesRead, isWhole: true)
    }
    return SeedReading(intake: intake, first: first)
  }

  private func intake(of choice: SeedChoice, failures: RecordFailures?) -> SeedRecordStream {
    let planner = RecordPlanner(
      model,
      createOnly: seeder.createOnly,
      now: now,
      roundsDecimals: store.roundsDecimals
    )
    let intake = SeedRecordStream(seeds: choice.seeds, planner: planner, failures: failures)
    progress.expect(bytes: intake.size)
    return intake
  }

  /// Puts records into order that have all been read.
  ///
  /// - Throws: `SeedRestart.withUnchangedSeeds` where a label is missing that may be in seeds which the store has.
  func plan(_ reading: SeedReading, attempt: SeedAttempt) throws -> PlannedRecords {
    var sorter = RecordSorter()
    var found = RecordFailures.Found()
    for numbered in reading.first {
      try found.collecting(numbered.number, if: attempt.failures != nil) { try sorter.add(numbered) }
    }
    for (number, error) in sorter.linkErrors(reading.intake.naturalKeys) {
      try found.collecting(number, if: attempt.failures != nil) { throw error }
    }
    progress.finishPart(reading.intake.size)
    try found.check()
    if sorter.lacksLabels, attempt.choice.leavesOutUnchanged { throw SeedRestart.withUnchangedSeeds }
    return sorter.sorted(reading.intake.naturalKeys, model: model, empty: reading.intake.emptyEntities)
  }

  func writer(
    of plan: PlannedRecords,
    draft: LedgerDraft,
    in context: NSManagedObjectContext,
    attempt: SeedAttempt
  ) -> SeedWriter {
    SeedWriter(
      plan: plan,
      seeder: seeder,
      ledger: draft,
      progress: progress,
      in: context,
      leavesOutFailures: attempt.failures != nil,
      leavesOutUnchanged: attempt.choice.leavesOutUnchanged
    )
  }

  // MARK: - The ledger

  /// The store's ledger with the seeds that the run has imported.
  /// - Parameters:
  ///   - pruned: The objects that the run has deleted, by entity.
  ///   - ledger: The ledger before the run.
  private func entries(
    _ choice: SeedChoice,
    intake: SeedRecordStream,
    draft: LedgerDraft,
    pruned: [String: DigestList],
    in ledger: SeedLedger
  ) -> SeedLedger {
    var ledger = ledger
    let date = seeder.date ?? Date()
    for (number, seed) in choice.seeds.enumerated() where !seed.isUnchangedSeed {
      ledger.add(
        seed,
        records: intake.counts[number],
        objects: draft.objects(ofSeed: number, without: pruned),
        at: date
      )
    }
    ledger.remove(pruned, besides: choice.pending, in: model)
    return ledger
  }
}
