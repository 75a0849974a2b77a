import Seeding
import Texts

extension ProgressStyle {
  /// Says what a run of seeding did, in the form that was asked for; warnings on standard error.
  /// - Parameter skipping: The reason that seeds were skipped, and the way to take them in all the
  ///   same, in words that follow the name of each such seed.
  func show(_ report: SeedReport, skipping: String = "") throws {
    let warnings = report.seeds.compactMap(\.fetchFailure).map { "Warning: \($0)" }
    for line in warnings + conflicts(report) + errors(report) { warn(line) }
    if json { return print(try JSONText.object(SeedReportFields.fields(report))) }
    if quiet { return }
    for seed in report.seeds where seed.wasSkipped {
      print("\(seed.name.onOneLine) is in the store already\(skipping)")
    }
    print(report.entities.isEmpty ? "no records" : report.description)
  }

  private func conflicts(_ report: SeedReport) -> [String] {
    let more = report.total.conflicts - report.conflicts.count
    return report.conflicts.map { "Conflict: \($0)" }
      + (more > 0 ? ["Conflict: and \(more) more values"] : [])
  }

  private func errors(_ report: SeedReport) -> [String] {
    let more = report.total.failed - report.failures.count
    return report.failures.map { "Error: \($0)" } + (more > 0 ? ["Error: and \(more) more records"] : [])
  }
}
