import GRDB
import Synchronization

/// The slices of a table, of which each connection that goes over it takes the next one, and the keys that
/// were found in them.
final class SQLiteScan: Sendable {
  private struct State {
    var next = 0
    /// The keys of each slice; `nil` for those that are not done.
    var found: [[Int64]?]
    /// True when the slices that are done have all keys that are needed.
    var isEnough = false
    var failure: (any Error)?
  }

  private let statements: [SQLStatement]
  private let enough: Int?
  private let state: Mutex<State>
  /// Ends the statements of all connections.
  private let call: StoreCall

  /// - Parameters:
  ///   - statements: find the keys of each slice.
  ///   - enough: the number of keys of the first slices that makes others needless; `nil` where all
  ///     slices are needed.
  init(_ statements: [SQLStatement], enough: Int?) {
    self.statements = statements
    self.enough = enough
    state = Mutex(State(found: statements.map { _ in nil }))
    call = StoreCall(deadline: StoreCall.current?.deadline, isBounded: true)
  }

  /// Goes over slices until none is left. A failure ends the other connections, and is thrown by
  /// ``keys()``.
  func run(on database: Database) {
    do {
      try call.run {
        try database.endingWithCall { database in
          while let number = takeSlice() {
            try call.check(waitingFor: "going over a table")
            record(try keys(of: statements[number], in: database), number)
          }
        }
      }
    } catch {
      fail(error)
    }
  }

  /// Ends the scan with a failure, where it still needs who has failed.
  func fail(_ error: any Error) {
    end { state in
      // Whoever is not needed any more is ended in the middle of a slice.
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

  private func takeSlice() -> Int? {
    state.withLock { state in
      guard !state.isEnough, state.failure == nil, state.next < statements.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  private func record(_ keys: [Int64], _ number: Int) {
    end { state in
      state.found[number] = keys
      guard let enough else { return }
      let count = state.found.prefix { $0 != nil }.reduce(0) { $0 + ($1?.count ?? 0) }
      if count >= enough { state.isEnough = true }
    }
  }

  /// Changes the state, and ends the statements where nobody needs them any more.
  private func end(_ change: (inout State) -> Void) {
    let isOver = state.withLock { state in
      change(&state)
      return state.isEnough || state.failure != nil
    }
    if isOver { call.cancel() }
  }

  private func keys(of statement: SQLStatement, in database: Database) throws -> [Int64] {
    var keys: [Int64] = []
    try SQLiteQuery(statement, in: database, isCached: false).forEachRow { row in
      keys.append(SQLiteRow(statement: row).number(0))
    }
    return keys
  }
}
