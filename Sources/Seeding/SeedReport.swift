import Texts

/// The report of a run of seeding.
///
/// ```swift
/// let report = try await Seeder(.bundle(.module, "garden.json")).run(in: container)
/// for (entity, counts) in report.entities.sorted(by: { $0.key < $1.key }) {
///   print(entity, counts.created, counts.updated)
/// }
/// ```
public struct SeedReport: Hashable, Sendable {
  /// Records counted by their outcomes.
  public struct Counts: Hashable, Sendable {
    /// Objects that were inserted.
    public var created = 0

    /// Objects that were in the store and differed from their record.
    public var updated = 0

    /// Objects that were in the store just as their record has them.
    public var unchanged = 0

    /// Deleted objects: those that `SeedMode.replace` deletes before the records are inserted, those that `SeedPruning`
    /// deletes because no record describes them, and those that the model's delete rules delete with them.
    public var deleted = 0

    /// The number of skipped records, with the records nested in them: records of seeds that the
    /// store has already imported, records whose objects `SeedMode.createOnly` left unchanged, and
    /// records whose objects a user has deleted if they are not to be restored.
    public var skipped = 0

    /// Records that were left out because they are wrong, see `SeedFailureHandling`.
    public var failed = 0

    /// Values that both a user and the seed have changed, see `SeedMode.merge`.
    public var conflicts = 0

    /// Creates counts of zero.
    public init() {}
  }

  /// A seed that the run was given.
  public struct Seed: Hashable, Sendable {
    /// The name under which the store's ledger has it.
    public let name: String

    /// SHA-256 of its bytes, in hexadecimal, or of that and those of the files that its values are
    /// taken from; nil when it was skipped unread.
    public let contentHash: String?

    /// True if the seed was skipped because the store had already imported it.
    public internal(set) var wasSkipped: Bool

    /// The reason, in one line, why a remote seed could not be fetched, if its fallback or the
    /// store's data is used instead.
    public internal(set) var fetchFailure: String?
  }

  /// A value that both a user and the seed have changed since the seed's last import, or a value
  /// that a user has changed in an object that the seed does not contain any more.
  public struct Conflict: Hashable, Sendable {
    /// The position of the value in the seed; the seed's file if it does not contain the object any more.
    public let position: SeedPosition

    /// The name of the entity.
    public let entity: String

    /// The natural key of the object, in words.
    public let name: String

    /// The name of the property.
    public let key: String

    /// The value in the store, in words.
    public let present: String

    /// The value of the seed, in words.
    public let new: String

    /// True if the seed's value or its deletion won.
    public let isSeedTaken: Bool

    /// True if the seed does not contain the object any more, so that pruning would delete it.
    public let isDeletion: Bool
  }

  /// The seeds, in the order in which they were given.
  public internal(set) var seeds: [Seed] = []

  /// The counts of each entity, by its name.
  public internal(set) var entities: [String: Counts] = [:]

  /// The errors of the records that were left out, the first 100 of them, in the order of the seeds.
  public internal(set) var failures: [SeedError] = []

  /// The values that both sides have changed, the first 100 of them, in the mode `merge`.
  public internal(set) var conflicts: [Conflict] = []

  /// The paths of files in the given folders that were left out, and of subfolders that contain
  /// seeds. Their names are those of another environment or language, such as `notes.v2.json`.
  public internal(set) var leftOut: [String] = []

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
    conflicts += other.conflicts
  }
}

extension SeedReport {
  /// The largest number of failures, and of conflicts, that the text lists; it counts all of them.
  private static let mostTold = 100

  /// The report of several runs together.
  init(adding reports: [SeedReport]) {
    for report in reports {
      seeds += report.seeds
      leftOut += report.leftOut
      add(report.entities)
      failures = Array((failures + report.failures).prefix(Self.mostTold))
      conflicts = Array((conflicts + report.conflicts).prefix(Self.mostTold))
    }
  }

  /// Paths of seeds that were left out, the first of them.
  package static func words(ofLeftOut paths: [String]) -> String {
    let shown = paths.prefix(10).map(\.onOneLine).joined(separator: ", ")
    return shown + (paths.count > 10 ? " and \(paths.count - 10) more" : "")
  }

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
      (skipped, "skipped"), (failed, "failed"), (conflicts, conflicts == 1 ? "conflict" : "conflicts"),
    ].filter { $0.0 > 0 }
    return parts.isEmpty ? "no records" : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

extension SeedReport.Conflict: CustomStringConvertible {
  /// One line: the position, the store's value and the seed's value, and which of them wins.
  public var description: String {
    if isDeletion {
      let line =
        "\(position): a user has set \(key) of the \(entity) \(name) to \(present), and the seed does not bring it any "
        + "more; it \(isSeedTaken ? "was deleted" : "stays, as the user's own")"
      return VisibleText(line: line, atMost: 2000).description
    }
    let outcome = isSeedTaken ? "the seed's was taken" : "the store's stays"
    let line =
      "\(position): a user has set \(key) of the \(entity) \(name) to \(present), and the seed to \(new); \(outcome)"
    return VisibleText(line: line, atMost: 2000).description
  }
}
