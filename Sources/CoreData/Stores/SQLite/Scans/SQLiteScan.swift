import CSystemSQLite
import SQLiteDriver
import Synchronization

/// The slices of a table, of which each scanning connection takes the next one, and the keys that were found in them.
final class SQLiteScan: Sendable {
  private struct State {
    var next = 0
    /// A number after which no rows are needed; `nil` while it is unknown.
    var last: Double?
    /// The keys of each slice; `nil` for unfinished slices.
    var found: [[Int64]?]
    /// True when the slices that are done have all keys that are needed.
    var isEnough = false
    var failure: (any Error)?
  }

  private let slices: [SQLiteSlice]
  private let needed: Int
  private let isByKey: Bool
  private let state: Mutex<State>
  /// Ends the statements of all connections.
  private let call: StoreCall

  /// - Parameters:
  ///   - needed: the number of rows that the fetch needs, which is also the limit of each slice.
  ///   - isByKey: true for rows that are sorted by their keys alone. The scan ends when the first
  ///     slices have enough of them.
  init(_ slices: [SQLiteSlice], needed: Int, isByKey: Bool) {
    self.slices = slices
    self.needed = needed
    self.isByKey = isByKey
    state = Mutex(State(found: slices.map { _ in nil }))
    call = StoreCall(deadline: StoreCall.current?.deadline, isBounded: true)
  }

  /// Scans slices until none is left or needed. A failure ends the scan on the other connections too,
  /// and ``keys()`` throws it.
  func run(on database: Database) {
    do {
      try call.run {
        try database.endingWithCall { database in
          while let (number, last) = takeSlice() {
            try call.check(waitingFor: "going over a table")
            try goOver(number, upTo: last, in: database)
          }
        }
      }
    } catch {
      fail(error)
    }
  }

  /// Ends the scan with a failure, unless the failed connection is no longer needed.
  func fail(_ error: any Error) {
    end { state in
      // A connection that is no longer needed is interrupted in the middle of a slice.
      if !state.isEnough, state.failure == nil { state.failure = error }
    }
  }

  /// Ends the scan when the call of this thread ends while some work is done.
  func endingWithCall(_ work: () -> Void) {
    guard let outer = StoreCall.current, outer.isBounded else { return work() }
    let number = outer.onEnd { [call] _ in call.cancel() }
    work()
    outer.forget(number)
  }

  /// The keys that were found, in the order of the slices.
  ///
  /// - Throws: the first failure.
  func keys() throws -> [Int64] {
    let (found, failure) = state.withLock { ($0.found, $0.failure) }
    if let failure { throw failure }
    return found.prefix { $0 != nil }.flatMap { $0 ?? [] }
  }

  /// The next slice, and what is known of the last number by then.
  private func takeSlice() -> (number: Int, last: Double?)? {
    state.withLock { state in
      guard !state.isEnough, state.failure == nil, state.next < slices.count else { return nil }
      defer { state.next += 1 }
      return (state.next, state.last)
    }
  }

  private func goOver(_ number: Int, upTo last: Double?, in database: Database) throws {
    let slice = slices[number]
    var keys: [Int64] = []
    var next: Double?
    let query = try SQLiteQuery(slice.statement(upTo: last), in: database, isCached: false)
    try query.forEachRow { row in
      keys.append(sqlite3_column_int64(row, 0))
      if slice.isBounded, keys.count == needed { next = Self.number(row, column: 1, in: slice) }
    }
    record(keys, of: number, upTo: next)
  }

  /// The number in a column; `nil` for other values, which rows without a number have.
  private static func number(_ row: OpaquePointer, column: Int32, in slice: SQLiteSlice) -> Double? {
    switch sqlite3_column_type(row, column) {
    case SQLITE_INTEGER: slice.number(sqlite3_column_int64(row, column))
    case SQLITE_FLOAT: sqlite3_column_double(row, column)
    default: nil
    }
  }

  private func record(_ keys: [Int64], of number: Int, upTo last: Double?) {
    end { state in
      state.found[number] = keys
      if let last { state.last = state.last.map { slices[number].first($0, other: last) } ?? last }
      guard isByKey else { return }
      let count = state.found.prefix { $0 != nil }.reduce(0) { $0 + ($1?.count ?? 0) }
      if count >= needed { state.isEnough = true }
    }
  }

  /// Changes the state, and interrupts statements that are no longer needed.
  private func end(_ change: (inout State) -> Void) {
    let isOver = state.withLock { state in
      change(&state)
      return state.isEnough || state.failure != nil
    }
    if isOver { call.cancel() }
  }
}
