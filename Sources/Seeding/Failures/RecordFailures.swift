import Synchronization

/// The handling of a record that contains an error of its own.
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

  /// The run leaves out the record with all changes that it asks for, and every record that refers to it. It imports
  /// all other records. The report counts the records that were left out as failed and has their errors.
  ///
  /// A record contains an error of its own if it has
  ///
  /// - a key or a value that does not fit the model,
  /// - a reference to an object that does not exist,
  /// - the natural key of an earlier record or of several objects,
  /// - an object that the model's validation rules or the object's class reject, or
  /// - a value that a uniqueness constraint allows one object only, and that another object has.
  ///
  /// All other errors end the run: text that cannot be parsed, a wrong header, an error of the
  /// store. In the modes `replace` and `prune` every error ends the run, because the run would
  /// otherwise delete the object of the record that it leaves out.
  case skipRecord = "skip-record"
}

/// The records that a run leaves out because they contain errors of their own.
///
/// If leaving out a record would require a partial rollback, the run starts again from its
/// beginning without that record. A save therefore never contains changes of a failed record.
final class RecordFailures: Sendable {
  /// Records that failed, found by work that has to be done again without them.
  struct Found {
    /// By the number of the record among all of the run.
    var errors: [(number: Int, error: SeedError)] = []
  }

  /// The report holds at most this number of errors, and counts all of them.
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

  /// - Returns: False if the record has been left out already.
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
  /// - Throws: The error of a record that was left out before and fails again, because another attempt would not help.
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

  /// Does something for each of some records, and then checks that none of them failed.
  static func check<Records: Sequence>(
    _ records: Records,
    number: (Records.Element) -> Int,
    if leavesOut: Bool,
    _ body: (Records.Element) throws -> Void
  ) throws {
    var found = RecordFailures.Found()
    for record in records { try found.collecting(number(record), if: leavesOut) { try body(record) } }
    try found.check()
  }

  /// Checks that no record failed.
  ///
  /// - Throws: `SeedRestart.without` if any did.
  func check() throws { if !errors.isEmpty { throw SeedRestart.without(self) } }
}
