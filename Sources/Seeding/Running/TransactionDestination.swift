#if !canImport(Darwin)
  import CoreData

  /// Takes seeds in by one transaction of the store, of many saves where the seeds are large.
  struct TransactionDestination: SeedDestination {
    let run: SeedRun

    var mostRecordsAtOnce: Int { run.seeder.mostRecordsAtOnce }

    func save(_ write: (NSManagedObjectContext, SeedLedger) throws -> WrittenSeeds) throws -> SeedReport {
      let (coordinator, store) = (run.coordinator, run.store)
      // The metadata to restore if the transaction, and the ledger in it, cannot be committed.
      var before: [String: Any]?
      run.progress.tell(.waiting)
      do {
        return try coordinator.performExclusiveTransaction { context in
          let written = try write(context, run.ledger)
          guard let ledger = written.ledger else { return written.report }
          var metadata = coordinator.metadata(for: store)
          before = metadata
          ledger.write(to: &metadata)
          coordinator.setMetadata(metadata, for: store)
          do {
            try context.save()
          } catch {
            throw written.failure(error)
          }
          return written.report
        }
      } catch {
        if let before { coordinator.setMetadata(before, for: store) }
        throw error is SeedRestart ? error : SeedFailure.described(error)
      }
    }
  }
#endif
