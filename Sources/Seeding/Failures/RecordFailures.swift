/// The records that a run leaves out, because they are wrong by themselves.
///
/// Where leaving one out would mean to undo a part of the work, the work is done again from its beginning without it: so
/// nothing of a record that failed is ever in what is saved.
final class RecordFailures {
  /// Records that failed, found by work that has to be done again without them.
  struct Found: Error {
    /// By the number of the record among all of the run.
    var errors: [(number: Int, error: SeedError)] = []
  }

  /// So many errors are kept to be told; all are counted.
  static let mostErrors = 100

  private var numbers: Set<Int> = []
  private var kept: [(number: Int, error: SeedError)] = []
  private(set) var counts: [String: SeedReport.Counts] = [:]

  /// The errors, in the order of the records.
  var errors: [SeedError] { kept.sorted { $0.number < $1.number }.map(\.error) }

  var isEmpty: Bool { numbers.isEmpty }

  func contains(_ number: Int) -> Bool { numbers.contains(number) }

  func note(_ error: SeedError, of number: Int) {
    guard numbers.insert(number).inserted else { return }
    counts[error.position?.entity ?? "", default: .init()].failed += 1
    if kept.count < Self.mostErrors { kept.append((number, error)) }
  }

  func note(_ found: Found) {
    for (number, error) in found.errors { note(error, of: number) }
  }
}

extension RecordFailures.Found {
  /// Does something for a record. What is wrong with the record is kept, where failures are to be left out, else thrown.
  mutating func collecting(_ number: Int, if leavesOut: Bool, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as SeedError where leavesOut {
      errors.append((number, error))
    }
  }

  /// Throws itself when there are any.
  func check() throws { if !errors.isEmpty { throw self } }
}
