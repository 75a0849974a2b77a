import Synchronization

/// The handling of a record that is wrong by itself.
///
/// ```swift
/// let plants = Data(#"{"plants": [{"name": "Thyme", "water": "much"}, {"name": "Sage"}]}"#.utf8)
/// let seeder = Seeder(.data(plants, name: "plants.json"), onFailure: .skipRecord)
/// let report = try await seeder.run(in: container)
/// for failure in report.failures { print(failure) }
/// ```
public enum SeedFailureHandling: String, CaseIterable, Sendable {
  /// The run ends with the record's error, and the store is as it was. This is the default.
  case stop

  /// The record is left out, with what it would have changed, and so are those that refer to it;
  /// all others are taken in. The report counts them as failed and has their errors.
  ///
  /// Wrong by themselves are records with a key or value that does not fit the model, with a
  /// reference that leads nowhere, with the natural key of an earlier record or of several objects,
  /// those whose objects the model's validation rules or their classes do not allow, and those that
  /// give what a uniqueness constraint allows one object alone to another. All else ends the run as
  /// before: text that is broken, a wrong header, what the store refuses. In the modes `replace` and
  /// `prune` every failure ends the run, since the object of a record that is left out would be
  /// deleted.
  case skipRecord = "skip-record"
}

/// The records that a run leaves out, because they are wrong by themselves.
///
/// If leaving one out would mean to undo a part of the work, the work is done again from its
/// beginning without it: so nothing of a record that failed is ever in what is saved.
final class RecordFailures: Sendable {
  /// Records that failed, found by work that has to be done again without them.
  struct Found: Error {
    /// By the number of the record among all of the run.
    var errors: [(number: Int, error: SeedError)] = []
  }

  /// So many errors are kept to be told; all are counted.
  static let mostErrors = 100

  private struct State {
    var numbers: Set<Int> = []
    var errors: [(number: Int, error: SeedError)] = []
    var counts: [String: SeedReport.Counts] = [:]
  }

  /// Records may be read on another thread than the one that writes them.
  private let state = Mutex(State())

  /// The counts of these records, by entity.
  var counts: [String: SeedReport.Counts] { state.withLock { $0.counts } }

  /// The errors, in the order of the records.
  var errors: [SeedError] {
    state.withLock { $0.errors }.sorted { $0.number < $1.number }.map(\.error)
  }

  func contains(_ number: Int) -> Bool { state.withLock { $0.numbers.contains(number) } }

  /// - Returns: False when the record was left out before.
  @discardableResult
  func add(_ error: SeedError, of number: Int) -> Bool {
    state.withLock { state in
      guard state.numbers.insert(number).inserted else { return false }
      state.counts[error.position?.entity ?? "", default: .init()].failed += 1
      if state.errors.count < Self.mostErrors { state.errors.append((number, error)) }
      return true
    }
  }

  /// Adds records that failed.
  ///
  /// - Throws: The error of a record that was left out before, and is wrong all the same: nothing
  ///   can come of going on.
  func add(_ found: Found) throws {
    var isNew = false
    for (number, error) in found.errors where add(error, of: number) { isNew = true }
    if !isNew, let first = found.errors.first { throw first.error }
  }
}

extension RecordFailures.Found {
  /// Does something for a record. The error of a wrong record is kept where failures are to be left
  /// out, and thrown elsewhere.
  mutating func collecting(_ number: Int, if leavesOut: Bool, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as SeedError where leavesOut {
      errors.append((number, error))
    }
  }

  /// Checks that no record failed.
  ///
  /// - Throws: Itself when any did.
  func check() throws { if !errors.isEmpty { throw self } }
}
