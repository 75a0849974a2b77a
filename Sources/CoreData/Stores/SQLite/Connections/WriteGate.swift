import Foundation
import GRDB

/// The time for which one call may wait for its turn, whoever it waits for: threads of this process
/// first, other processes then.
struct WriteDeadline {
  private let end: Date
  /// In seconds, as the call's store was opened.
  let timeout: TimeInterval

  /// A deadline that begins now.
  init(timeout: TimeInterval) {
    self.timeout = timeout
    end = Date(timeIntervalSinceNow: timeout)
  }

  /// The rest, for SQLite's busy handler.
  var milliseconds: Int32 { Int32(min(max(end.timeIntervalSinceNow, 0) * 1000, Double(Int32.max))) }

  /// The time at which threads of this process give up. They take turns even where nobody is to
  /// wait for other processes.
  fileprivate var endInProcess: Date { max(end, end + (Self.leastInProcess - timeout)) }

  private static let leastInProcess: TimeInterval = 1
}

/// Lets one thread at a time write a store. A transaction of many saves keeps it from its beginning
/// to its end.
final class WriteGate: Sendable {
  private let condition = NSCondition()
  // Read and set with the condition's lock alone.
  nonisolated(unsafe) private var holder: Thread?

  /// Runs work when nobody else writes.
  ///
  /// - Throws: an error when this thread is in a transaction already, which would wait for itself,
  ///   or when others write until the deadline.
  func hold<Value>(until deadline: WriteDeadline, _ work: () throws -> Value) throws -> Value {
    try enter(deadline)
    defer { leave() }
    return try work()
  }

  /// Runs work when nobody writes at this moment, and waits for nobody.
  ///
  /// - Returns: `nil` when somebody writes.
  func holdIfFree<Value>(_ work: () throws -> Value) rethrows -> Value? {
    guard enterIfFree() else { return nil }
    defer { leave() }
    return try work()
  }

  private func enterIfFree() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if holder != nil { return false }
    holder = Thread.current
    return true
  }

  private func enter(_ deadline: WriteDeadline) throws {
    condition.lock()
    defer { condition.unlock() }
    if holder === Thread.current {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "the thread is in a transaction of this store; fetch and save in the transaction's context"
      )
    }
    if holder != nil { try waitForTurn(until: deadline.endInProcess, deadline.timeout) }
    holder = Thread.current
  }

  private func waitForTurn(until end: Date, _ timeout: TimeInterval) throws {
    while holder != nil {
      guard condition.wait(until: end) || holder == nil else {
        throw DatabaseError(
          resultCode: .SQLITE_BUSY,
          message: "another thread of this process has been writing for \(timeout) seconds"
        )
      }
    }
  }

  private func leave() {
    condition.lock()
    holder = nil
    condition.signal()
    condition.unlock()
  }
}
