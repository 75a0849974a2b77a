import Seeding

/// A report as `--json` prints it.
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
