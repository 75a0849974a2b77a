extension SeedRun {
  /// Does something, and does it again without the records that turned out to be wrong as often as some do; once, and with
  /// their error, where a failure is to end the run.
  func leavingOutFailures<Result>(_ body: (RecordFailures?) throws -> Result) throws -> Result {
    guard leavesOutFailures else { return try body(nil) }
    let failures = RecordFailures()
    while true {
      do {
        return try body(failures)
      } catch let found as RecordFailures.Found {
        try failures.note(found)
      }
    }
  }

  /// What is left out is not to be taken for what the seeds do not have.
  private var leavesOutFailures: Bool {
    seeder.onFailure == .skipRecord && seeder.mode != .replace && seeder.effectivePruning == .none
  }
}
