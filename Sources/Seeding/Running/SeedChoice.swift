import Foundation

/// The seeds of a run, each with its treatment: those whose content the store has not imported yet,
/// and those whose content it has.
struct SeedChoice {
  /// All that can be read, in the order in which they were given.
  var seeds: [LoadedSeed] = []

  /// The numbers of sources that report that the store has their current seed, and that have not fetched it.
  var unread: [Int] = []

  /// The paths of the seeds in folders that were left out.
  var leftOut: [String] = []

  /// True when there are seeds that the store has, that could be read, and that are not among these.
  var leavesOutUnchanged = false

  /// The seeds to import.
  var pending: [LoadedSeed] { seeds.filter { !$0.isUnchangedSeed } }

  /// True if the run has nothing to do.
  var isEmpty: Bool { seeds.allSatisfy(\.isUnchangedSeed) }

  /// True when there are seeds among these that the store has.
  var hasUnchanged: Bool { seeds.contains(where: \.isUnchangedSeed) }

  /// The same choice with only the seeds to import.
  var withoutUnchanged: SeedChoice { SeedChoice(seeds: pending, leavesOutUnchanged: hasUnchanged) }
}

extension SeedRun {
  /// Finds all seeds, and those of them whose content the store has not imported yet. The report
  /// lists the others as skipped.
  func choose(_ ledger: SeedLedger, report: inout SeedReport) throws -> SeedChoice {
    progress.tell(.reading)
    let outcomes = try seeder.sources.map { source in
      try progress.check()
      return try source.load(ledger, rereads: seeder.policy.rereads, cancellation: progress.cancellation)
    }
    var choice = try choose(outcomes.joined(), ledger: ledger, report: &report)
    defer { report.leftOut = choice.leftOut }
    choice.unread = outcomes.indices.filter { outcomes[$0].contains(where: \.isUnread) }
    guard !choice.isEmpty else { return choice }
    if seeder.mode == .replace || seeder.effectivePruning == .all, !choice.unread.isEmpty {
      // All sources of the run decide which objects are deleted, including unchanged ones.
      let reread = try seeder.sources.map { try $0.load(ledger, rereads: true, cancellation: progress.cancellation) }
      report = SeedReport()
      choice = try choose(reread.joined(), ledger: ledger, report: &report)
      try checkAllAreRead(reread.joined())
    }
    if seeder.mode == .replace { selectAll(&choice, report: &report) }
    return choice
  }

  private func choose(
    _ outcomes: some Sequence<SourceOutcome>,
    ledger: SeedLedger,
    report: inout SeedReport
  ) throws -> SeedChoice {
    var choice = SeedChoice()
    var findings: [SeedFindings] = []
    for outcome in outcomes {
      switch outcome {
      case .unchanged(let name, let contentHash, let error):
        let entry = contentHash.flatMap { ledger.entry(name: name, contentHash: $0) }
        report.skip(name, contentHash: contentHash, entry: entry, because: error)
      case .found(let found): findings.append(found)
      case .seed(var seed):
        let isGiven = try choice.seeds.contains { try $0.isSame(as: seed) }
        let entry = seeder.policy.entry(of: seed, in: ledger)
        seed.isUnchangedSeed = entry != nil
        if isGiven || seed.isUnchangedSeed {
          report.skip(seed.name, contentHash: seed.contentHash, entry: entry, because: seed.fetchFailure)
        } else {
          report.append(seed)
        }
        if !isGiven { choice.seeds.append(seed) }
      }
    }
    try SeedFindings.check(findings)
    choice.leftOut = Set(findings.flatMap(\.leftOut)).sorted()
    return choice
  }

  private func checkAllAreRead(_ outcomes: some Sequence<SourceOutcome>) throws {
    for case .unchanged(let name, _, let error) in outcomes {
      throw error
        ?? SeedError(
          code: .notFetched,
          at: SeedPosition(file: name),
          problem:
            "the contents of the seed are not available, and without them no object can be deleted for lack of a record",
          remedy: "seed again when it can be fetched, or without pruning"
        )
    }
  }

  /// All objects of the seeds' entities are created anew.
  private func selectAll(_ choice: inout SeedChoice, report: inout SeedReport) {
    guard choice.hasUnchanged else { return }
    for place in choice.seeds.indices { choice.seeds[place].isUnchangedSeed = false }
    report = SeedReport()
    for seed in choice.seeds { report.append(seed) }
  }
}

extension LoadedSeed {
  /// Returns true when it is the same seed, given twice.
  ///
  /// - Throws: A `SeedError` when it is another of the same name, since the store's ledger would
  ///   take them for versions of one.
  fileprivate func isSame(as other: LoadedSeed) throws -> Bool {
    guard name == other.name, origin?.address == other.origin?.address else { return false }
    guard contentHash != other.contentHash else { return true }
    throw SeedError(
      code: .wrongPlan,
      at: SeedPosition(file: other.file),
      problem:
        "another seed of this run has the name \"\(name)\", under which the store's ledger has both, and other content",
      remedy: "give each a name of its own"
    )
  }
}

extension SeedReport {
  fileprivate mutating func append(_ seed: LoadedSeed) {
    seeds.append(
      Seed(
        name: seed.name,
        contentHash: seed.contentHash,
        wasSkipped: false,
        fetchFailure: seed.fetchFailure?.description
      )
    )
  }

  fileprivate mutating func skip(
    _ name: String,
    contentHash: String?,
    entry: SeedLedger.Entry?,
    because error: SeedError?
  ) {
    seeds.append(Seed(name: name, contentHash: contentHash, wasSkipped: true, fetchFailure: error?.description))
    for (entity, count) in entry?.records ?? [:] { entities[entity, default: .init()].skipped += count }
  }

  /// Reports seeds as skipped that another process has imported since the run began.
  mutating func skip(_ imported: [LoadedSeed], ledger: SeedLedger) {
    for seed in imported {
      guard
        let index = seeds.firstIndex(where: {
          !$0.wasSkipped && $0.name == seed.name && $0.contentHash == seed.contentHash
        })
      else { continue }
      seeds[index].wasSkipped = true
      let entry = ledger.entry(name: seed.name, contentHash: seed.contentHash)
      for (entity, count) in entry?.records ?? [:] { entities[entity, default: .init()].skipped += count }
    }
  }
}
