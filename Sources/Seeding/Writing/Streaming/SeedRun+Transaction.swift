#if !canImport(Darwin)
  import CoreData
  import Foundation

  /// Seeding in one transaction of the store, of many saves where the seeds are large.
  extension SeedRun {
    /// Seeds of so many records are planned as a whole: then required relationships may lead round in a circle.
    static let mostRecordsAtOnce = 20_000

    func performInTransaction() throws -> SeedReport {
      if let report = reportOfFlag() { return report }
      var report = SeedReport()
      let seeds = try newSeeds(ledger, &report)
      if !seeds.isEmpty {
        do {
          try take(seeds, &report, inPieces: true)
        } catch is NeedsWholeRun {
          try take(seeds, &report, inPieces: false)
        }
      }
      seeder.policy.setFlag()
      progress.finish()
      return report
    }

    private var ledger: SeedLedger { SeedLedger(metadata: coordinator.metadata(for: store)) }

    /// Small seeds are read before the transaction begins, so that others can write meanwhile.
    private func take(_ seeds: [LoadedSeed], _ report: inout SeedReport, inPieces: Bool) throws {
      let mostAtOnce = inPieces ? Self.mostRecordsAtOnce : .max
      // What the metadata are to be again when the ledger in them cannot be kept.
      var before: [String: Any]?
      var (intake, first) = try begin(seeds, mostAtOnce)
      do {
        report = try coordinator.performTransaction { [report] context in
          var report = report
          let remaining = seeds.filter { seeder.policy.entry(of: $0, in: ledger) == nil }
          if remaining.count < seeds.count {
            report.skip(seeds.filter { seed in !remaining.contains { $0.name == seed.name } }, ledger)
            if remaining.isEmpty { return report }
            (intake, first) = try begin(remaining, mostAtOnce)
          }
          report.add(try write(intake, first, in: context))
          before = coordinator.metadata(for: store)
          keep(remaining, intake.counts)
          return report
        }
      } catch {
        if let before { coordinator.setMetadata(before, for: store) }
        throw error is NeedsWholeRun ? error : SeedFailure.described(error) { _ in nil }
      }
    }

    private func begin(_ seeds: [LoadedSeed], _ mostAtOnce: Int) throws -> (SeedIntake, [SeedIntake.Numbered])
    {
      let intake = SeedIntake(seeds, RecordPlanner(coordinator.managedObjectModel))
      progress.expect(bytes: intake.size)
      let first = try intake.records(atMost: mostAtOnce)
      try progress.note(intake.bytesRead)
      return (intake, first)
    }

    private func write(
      _ intake: SeedIntake,
      _ first: [SeedIntake.Numbered],
      in context: NSManagedObjectContext
    ) throws -> [String: SeedReport.Counts] {
      guard intake.isAtEnd else {
        let writer = StreamedWriter(context, store, coordinator.managedObjectModel, seeder.mode)
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
      var planner = SeedPlanner(coordinator.managedObjectModel)
      for numbered in first { try planner.add(numbered.record) }
      var writer = SeedWriter(planner.finish(), seeder.mode, in: context)
      do {
        try writer.write()
        try context.save()
      } catch {
        throw SeedFailure.described(error, position: writer.position)
      }
      return writer.counts
    }

    /// The ledger is kept with the transaction.
    private func keep(_ seeds: [LoadedSeed], _ counts: [[String: Int]]) {
      var ledger = ledger
      ledger.add(seeds, counts)
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
