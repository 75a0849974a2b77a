#if !canImport(Darwin)
  import CoreData
  import Foundation

  /// Seeding in one transaction of the store, of many saves where the seeds are large.
  extension SeedRun {
    /// Seeds are planned as a whole that take no more bytes than this from files.
    static let mostFileBytesAtOnce = 256 << 20

    /// Takes seeds in. Small ones are read before the transaction begins, so that others can write meanwhile.
    func takeInTransaction(
      _ choice: SeedChoice,
      _ report: SeedReport,
      _ inPieces: Bool,
      _ failures: RecordFailures?
    ) throws -> SeedReport {
      let mostAtOnce = inPieces ? seeder.mostRecordsAtOnce : .max
      // What the metadata are to be again when the ledger in them cannot be kept.
      var before: [String: Any]?
      var reading = try begin(choice, mostAtOnce, failures)
      progress.tell(.waiting)
      do {
        return try coordinator.performTransaction { context in
          var (choice, report) = (choice, report)
          if noteTakenMeanwhile(&choice, &report) {
            if choice.isEmpty { return report }
            reading = try begin(choice, mostAtOnce, failures)
          }
          progress.tell(.writing)
          SeedAuthor(choice.taken).sign(context)
          let account = SeedAccount(seeder, choice.seeds, ledger, model)
          let written = try write(choice, reading, account, in: context, failures)
          try progress.check()
          progress.tell(.saving)
          before = coordinator.metadata(for: store)
          keep(entries(choice, reading.intake, account, written.pruned, in: ledger))
          return report.adding(written.counts, account.conflicts)
        }
      } catch {
        if let before { coordinator.setMetadata(before, for: store) }
        switch error {
        case is NeedsWholeRun, is NeedsStandingSeeds, is RecordFailures.Found: throw error
        default: throw SeedFailure.described(error)
        }
      }
    }

    /// Seeds that are being read: the first records, and where the others come from.
    private typealias Reading = (intake: SeedIntake, first: [SeedIntake.Numbered])

    private func begin(_ choice: SeedChoice, _ mostAtOnce: Int, _ failures: RecordFailures?) throws -> Reading
    {
      let intake = intake(of: choice, failures)
      let first = try intake.records(
        atMost: mostAtOnce,
        fileBytes: mostAtOnce == .max ? .max : Self.mostFileBytesAtOnce
      )
      try progress.note(intake.bytesRead, isWhole: intake.isAtEnd)
      return (intake, first)
    }

    /// Finds out which seeds another process has taken in since the run began.
    /// - Returns: Whether there are any.
    private func noteTakenMeanwhile(_ choice: inout SeedChoice, _ report: inout SeedReport) -> Bool {
      let ledger = ledger
      let places = choice.seeds.indices.filter { place in
        !choice.seeds[place].isStanding && seeder.policy.entry(of: choice.seeds[place], in: ledger) != nil
      }
      // Where all are made anew, those too that the store had before.
      guard !places.isEmpty, seeder.mode != .replace || places.count == choice.taken.count else {
        return false
      }
      report.skip(places.map { choice.seeds[$0] }, ledger)
      for place in places { choice.seeds[place].isStanding = true }
      return true
    }

    private func write(
      _ choice: SeedChoice,
      _ reading: Reading,
      _ account: SeedAccount,
      in context: NSManagedObjectContext,
      _ failures: RecordFailures?
    ) throws -> (counts: [String: SeedReport.Counts], pruned: [String: DigestList]) {
      guard reading.intake.isAtEnd else {
        let writer = StreamedWriter(context, store, model, seeder, account, failures)
        let seeding = StreamedSeeding(
          intake: reading.intake,
          writer: writer,
          account: account,
          seeder: seeder,
          model: model,
          progress: progress
        )
        try seeding.run(reading.first)
        return (writer.counts, writer.pruned)
      }
      let plan = try plan(reading.intake, after: reading.first, mayLack: choice, failures)
      var writer = writer(of: plan, account, in: context, failures)
      do {
        try writer.write()
        try context.save()
      } catch {
        throw writer.failure(error)
      }
      return (writer.counts, writer.pruned)
    }

    /// The ledger is kept with the transaction.
    private func keep(_ ledger: SeedLedger) {
      var metadata = coordinator.metadata(for: store)
      ledger.write(to: &metadata)
      coordinator.setMetadata(metadata, for: store)
    }
  }
#endif
