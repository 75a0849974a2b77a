#if !canImport(Darwin)
  import CoreData
  import Foundation

  /// Seeding in one transaction of the store, of many saves where the seeds are large.
  extension SeedRun {
    /// Seeds of so many records are planned as a whole: then required relationships may lead round in a circle.
    static let mostRecordsAtOnce = 20_000

    /// And those that take no more bytes than this from files.
    static let mostFileBytesAtOnce = 256 << 20

    func performInTransaction() throws -> SeedReport {
      if let report = reportOfFlag() { return report }
      var report = SeedReport()
      let seeds = try newSeeds(ledger, &report)
      if !seeds.isEmpty {
        try leavingOutFailures { failures in
          do {
            try take(seeds, &report, inPieces: true, failures)
          } catch is NeedsWholeRun {
            try take(seeds, &report, inPieces: false, failures)
          }
          report.add(failures)
        }
      }
      seeder.policy.setFlag()
      progress.finish()
      return report
    }

    private var ledger: SeedLedger { SeedLedger(metadata: coordinator.metadata(for: store)) }

    /// Small seeds are read before the transaction begins, so that others can write meanwhile.
    private func take(
      _ seeds: [LoadedSeed],
      _ report: inout SeedReport,
      inPieces: Bool,
      _ failures: RecordFailures?
    ) throws {
      let mostAtOnce = inPieces ? Self.mostRecordsAtOnce : .max
      // What the metadata are to be again when the ledger in them cannot be kept.
      var before: [String: Any]?
      var (intake, first) = try begin(seeds, mostAtOnce, failures)
      do {
        report = try coordinator.performTransaction { [report] context in
          var report = report
          let remaining = seeds.filter { seeder.policy.entry(of: $0, in: ledger) == nil }
          if remaining.count < seeds.count {
            report.skip(seeds.filter { seed in !remaining.contains { $0.name == seed.name } }, ledger)
            if remaining.isEmpty { return report }
            (intake, first) = try begin(remaining, mostAtOnce, failures)
          }
          report.add(try write(intake, first, in: context, failures))
          before = coordinator.metadata(for: store)
          keep(remaining, intake.counts)
          return report
        }
      } catch {
        if let before { coordinator.setMetadata(before, for: store) }
        if error is NeedsWholeRun || error is RecordFailures.Found { throw error }
        throw SeedFailure.described(error) { _ in nil }
      }
    }

    private func begin(_ seeds: [LoadedSeed], _ mostAtOnce: Int, _ failures: RecordFailures?) throws
      -> (SeedIntake, [SeedIntake.Numbered])
    {
      let intake = intake(of: seeds, failures)
      let first = try intake.records(
        atMost: mostAtOnce,
        fileBytes: mostAtOnce == .max ? .max : Self.mostFileBytesAtOnce
      )
      try progress.note(intake.bytesRead)
      return (intake, first)
    }

    private func write(
      _ intake: SeedIntake,
      _ first: [SeedIntake.Numbered],
      in context: NSManagedObjectContext,
      _ failures: RecordFailures?
    ) throws -> [String: SeedReport.Counts] {
      guard intake.isAtEnd else {
        let writer = StreamedWriter(context, store, coordinator.managedObjectModel, seeder.mode, failures)
        let seeding = StreamedSeeding(
          intake: intake,
          writer: writer,
          mode: seeder.mode,
          model: coordinator.managedObjectModel,
          progress: progress
        )
        try seeding.run(first)
        return writer.counts
      }
      let plan = try plan(intake, after: first, failures)
      var writer = SeedWriter(plan, seeder.mode, in: context, leavesOutFailures: failures != nil)
      do {
        try writer.write()
        try context.save()
      } catch {
        throw writer.failure(error)
      }
      return writer.counts
    }

    /// The ledger is kept with the transaction.
    private func keep(_ seeds: [LoadedSeed], _ counts: [[String: Int]]) {
      var ledger = ledger
      ledger.add(seeds, counts, at: seeder.date ?? Date())
      var metadata = coordinator.metadata(for: store)
      ledger.write(to: &metadata)
      coordinator.setMetadata(metadata, for: store)
    }
  }

  extension SeedReport {
    /// Notes that another process has taken seeds in since the ledger was read.
    fileprivate mutating func skip(_ taken: [LoadedSeed], _ ledger: SeedLedger) {
      for seed in taken {
        guard let index = seeds.firstIndex(where: { !$0.wasSkipped && $0.name == seed.name }) else {
          continue
        }
        seeds[index].wasSkipped = true
        let entry = ledger.entry(name: seed.name, contentHash: seed.contentHash)
        for (entity, count) in entry?.records ?? [:] { entities[entity, default: .init()].skipped += count }
      }
    }
  }

#endif
