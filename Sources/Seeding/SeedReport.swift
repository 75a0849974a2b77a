/// What a run of seeding did.
public struct SeedReport: Hashable, Sendable {
  /// Records counted by what became of them.
  public struct Counts: Hashable, Sendable {
    /// Objects that were inserted.
    public var created = 0

    /// Objects that were in the store and differed from their record.
    public var updated = 0

    /// Objects that were in the store just as their record has them.
    public var unchanged = 0

    /// Objects that were deleted: by `SeedMode.replace` before the records went in, by `SeedMode.prune` because no
    /// record is about them.
    public var deleted = 0

    /// Records of seeds that the store had taken in before, and those whose objects `SeedMode.createOnly` left as
    /// they were.
    public var skipped = 0

    /// Records that were left out because they are wrong, see `SeedFailureHandling`.
    public var failed = 0

    /// Creates counts of zero.
    public init() {}
  }

  /// A seed that the run was given.
  public struct Seed: Hashable, Sendable {
    /// The name under which the store keeps account of it.
    public let name: String

    /// SHA-256 of its bytes, in hexadecimal, or of that and those of the files that its values are taken from; nil when it was
    /// skipped unread.
    public let contentHash: String?

    /// Whether it was left out because it had been taken in before.
    public internal(set) var wasSkipped: Bool

    /// Why a remote seed could not be fetched, in one line, where its fallback or what the store has stands in for it.
    public internal(set) var fetchFailure: String?
  }

  /// The seeds, in the order in which they were given.
  public internal(set) var seeds: [Seed] = []

  /// The counts of each entity, by its name.
  public internal(set) var entities: [String: Counts] = [:]

  /// What is wrong with the records that were left out, the first 100 of them, in the order of the seeds.
  public internal(set) var failures: [SeedError] = []

  /// The counts of all entities together.
  public var total: Counts {
    entities.values.reduce(into: Counts()) { $0.add($1) }
  }
}

extension SeedReport.Counts {
  mutating func add(_ other: Self) {
    created += other.created
    updated += other.updated
    unchanged += other.unchanged
    deleted += other.deleted
    skipped += other.skipped
    failed += other.failed
  }
}

extension SeedReport {
  mutating func add(_ counts: [String: Counts]) {
    for (entity, counts) in counts { entities[entity, default: .init()].add(counts) }
  }

  mutating func add(_ left: RecordFailures?) {
    guard let left else { return }
    add(left.counts)
    failures = left.errors
  }
}

extension SeedReport: CustomStringConvertible {
  /// A line for each entity, such as `Note: 10 created, 2 unchanged`, sorted by name.
  public var description: String {
    entities.sorted { $0.key < $1.key }
      .map { name, counts in "\(name): \(counts)" }
      .joined(separator: "\n")
  }
}

extension SeedReport.Counts: CustomStringConvertible {
  /// The counts that are not zero, such as `10 created, 2 unchanged`.
  public var description: String {
    let parts = [
      (created, "created"), (updated, "updated"), (unchanged, "unchanged"), (deleted, "deleted"),
      (skipped, "skipped"), (failed, "failed"),
    ].filter { $0.0 > 0 }
    return parts.isEmpty ? "no records" : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
