import Foundation

/// A value that a store has and that could not be read: a file that is missing, an archive that was
/// refused, bytes of another type.
struct ValueFailure: Sendable {
  /// Names the store, the object, the property and the remedy.
  let error: any Error
  /// The bytes that the store has in the value's place, for stores that write all values with each save.
  var bytes: Data?
}

/// The values of a slab's rows that could not be read. The rows have no value there, and are whole otherwise.
struct ValueFailures {
  private struct Place: Hashable {
    // Compared and never read. The row lies in the slab that has the failures.
    let row: UnsafeMutableRawPointer
    let slot: Int
  }

  private var failures: [Place: ValueFailure] = [:]

  var isEmpty: Bool { failures.isEmpty }

  subscript(row: UnsafeMutableRawPointer, slot: Int) -> ValueFailure? {
    get { failures[Place(row: row, slot: slot)] }
    set { failures[Place(row: row, slot: slot)] = newValue }
  }

  /// The failures of one row, by slot.
  func failures(of row: UnsafeMutableRawPointer) -> [(slot: Int, failure: ValueFailure)] {
    failures.filter { $0.key.row == row }.map { ($0.key.slot, $0.value) }.sorted { $0.slot < $1.slot }
  }
}

extension Row {
  /// The decoder of the row calls it instead of setting a value that cannot be read. A reader of the value gets the
  /// error. Saves keep the store's value, unless the program has set another value, nil included.
  func fail(_ slot: Int, failure: ValueFailure) {
    setNull(slot)
    var failures = slab.failures ?? ValueFailures()
    failures[base, slot] = failure
    slab.failures = failures
  }

  /// The failure for which a slot has no value though the store has one; `nil` where the value was read or set.
  func failure(_ slot: Int) -> ValueFailure? { hasValue(slot) ? nil : slab.failures?[base, slot] }

  /// All values of the row that could not be read, by slot.
  var failures: [(slot: Int, failure: ValueFailure)] {
    slab.failures?.failures(of: base).filter { !hasValue($0.slot) } ?? []
  }

  /// For code that copies rows and values elsewhere, where a value that could not be read would be lost.
  ///
  /// - Parameter slots: the slots that are copied; `nil` for all.
  /// - Throws: the error for which the first of these values could not be read.
  func requireReadable(_ slots: [Int]? = nil) throws {
    guard slab.hasFailures else { return }
    for (slot, failure) in failures where slots?.contains(slot) ?? true { throw failure.error }
  }

  /// Called when a slot is set to nil, which is an ordinary value from then on.
  func forgetFailure(_ slot: Int) {
    slab.failures?[base, slot] = nil
    if slab.failures?.isEmpty == true { slab.failures = nil }
  }

  /// Called by `copy()`.
  func copyFailures(from other: Row) {
    for (slot, failure) in other.failures { fail(slot, failure: failure) }
  }
}
