import Seeding
import Texts

extension ProgressStyle {
  /// Prints the report of a seeding run in the requested form, and warnings on standard error.
  /// - Parameter skipping: The reason that seeds were skipped, and how to load them anyway. The text follows the
  ///   name of each skipped seed.
  func show(_ report: SeedReport, skipping: String = "") throws {
    let warnings = report.seeds.compactMap(\.fetchFailure).map { "Warning: \($0)" }
    for line in warnings + conflicts(report) + errors(report) { warn(line) }
    if json { return print(try JSONText.object(SeedReportFields.fields(report))) }
    if quiet { return }
    for seed in report.seeds where seed.wasSkipped {
      print("\(seed.name.onOneLine) is in the store already\(skipping)")
    }
    if !report.leftOut.isEmpty {
      print("left out, as for another environment or language: \(SeedReport.words(ofLeftOut: report.leftOut))")
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

/// The fields of a report for `--json`.
enum SeedReportFields {
  static func fields(_ report: SeedReport) -> [String: ResultValue] {
    let seeds = report.seeds.map { seed in
      var fields: [String: ResultValue] = ["name": .text(seed.name), "skipped": .bool(seed.wasSkipped)]
      if let hash = seed.contentHash { fields["sha256"] = .text(hash) }
      if let failure = seed.fetchFailure { fields["fetchFailure"] = .text(failure) }
      return ResultValue.fields(fields)
    }
    let entities = report.entities.mapValues { ResultValue.fields(counts($0)) }
    var fields: [String: ResultValue] = [
      "seeds": .list(seeds), "entities": .fields(entities), "total": .fields(counts(report.total)),
    ]
    if !report.conflicts.isEmpty {
      fields["conflicts"] = .list(report.conflicts.map { .text($0.description) })
    }
    if !report.leftOut.isEmpty { fields["leftOut"] = .list(report.leftOut.map { .text($0) }) }
    if !report.failures.isEmpty { fields["failures"] = .list(report.failures.map { .text($0.description) }) }
    return fields
  }

  private static func counts(_ counts: SeedReport.Counts) -> [String: ResultValue] {
    [
      "created": counts.created, "updated": counts.updated, "unchanged": counts.unchanged,
      "deleted": counts.deleted,
      "skipped": counts.skipped, "failed": counts.failed, "conflicts": counts.conflicts,
    ].mapValues { .integer(Int64($0)) }
  }
}
