/// One attempt of a run to import the seeds that it has chosen.
struct SeedAttempt {
  var choice: SeedChoice
  /// The run's report before its records are written.
  var report: SeedReport
  /// True when records may go in piece by piece.
  let isInPieces: Bool
  /// The records that are left out; nil where one that is wrong ends the run.
  let failures: RecordFailures?

  /// The report with the outcomes of the attempt's records.
  func report(adding counts: [String: SeedReport.Counts], conflicts: [SeedReport.Conflict]) -> SeedReport {
    var report = report
    report.add(counts)
    report.conflicts += conflicts
    report.add(failures)
    return report
  }
}

/// Records that are being read: the first ones, and the source of the others.
struct SeedReading {
  let intake: SeedRecordStream
  let first: [SeedRecordStream.Numbered]
}

/// Thrown where a label is missing that seeds may have which the store has already.
struct NeedsUnchangedSeeds: Error {}

/// Thrown if a seed has content that cannot be imported in chunks.
struct NeedsWholeRun: Error {}

extension SeedRun {
  /// Runs the body for the seeds to import. Repeats it if the body finds that it needs more data in
  /// memory, or that it has to leave out records with errors.
  func attempts<Result>(
    _ choice: SeedChoice,
    report: SeedReport,
    _ body: (SeedAttempt) throws -> Result
  ) throws -> Result {
    var isInPieces = true
    var readsStanding = seeder.effectivePruning == .all
    var failures = newFailures
    while true {
      do {
        return try body(
          SeedAttempt(
            choice: readsStanding ? choice : choice.withoutUnchanged,
            report: report,
            isInPieces: isInPieces,
            failures: failures
          )
        )
      } catch is NeedsWholeRun where isInPieces {
        isInPieces = false
        failures = newFailures
      } catch is NeedsUnchangedSeeds where !readsStanding {
        readsStanding = true
        failures = newFailures
      } catch let found as RecordFailures.Found {
        guard let failures else { throw found }
        try failures.add(found)
      }
    }
  }

  /// A new list of the records with errors; nil if an error ends the run, because the run would
  /// otherwise delete the objects of records that it leaves out.
  private var newFailures: RecordFailures? {
    let leavesOut =
      seeder.onFailure == .skipRecord && seeder.mode != .replace && seeder.effectivePruning == .none
    return leavesOut ? RecordFailures() : nil
  }
}
