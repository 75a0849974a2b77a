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

extension SeedAttempt {
  /// The end of an attempt.
  enum Outcome<Result> {
    case finished(Result)
    /// The store is as before the attempt, and another one is needed.
    case restart(SeedRestart)
  }

  /// Makes the attempt.
  ///
  /// - Throws: The error that ends the run.
  func outcome<Result>(of body: (SeedAttempt) throws -> Result) throws -> Outcome<Result> {
    do {
      return .finished(try body(self))
    } catch let restart as SeedRestart {
      return .restart(restart)
    }
  }
}

extension SeedRun {
  /// Runs the body for the seeds to import. Repeats it if the body finds that it needs more data in
  /// memory, or that it has to leave out records with errors.
  func attempts<Result>(
    _ choice: SeedChoice,
    report: SeedReport,
    _ body: (SeedAttempt) throws -> Result
  ) throws -> Result {
    var isInPieces = true
    var readsUnchanged = seeder.effectivePruning == .all
    var failures = newFailures
    while true {
      let attempt = SeedAttempt(
        choice: readsUnchanged ? choice : choice.withoutUnchanged,
        report: report,
        isInPieces: isInPieces,
        failures: failures
      )
      switch try attempt.outcome(of: body) {
      case .finished(let result): return result
      case .restart(.asWhole) where isInPieces:
        isInPieces = false
        failures = newFailures
      case .restart(.withUnchangedSeeds) where !readsUnchanged:
        readsUnchanged = true
        failures = newFailures
      case .restart(.without(let found)) where failures != nil: try failures?.add(found)
      case .restart(let restart): throw restart
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
