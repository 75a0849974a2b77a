import Foundation
import GRDB

/// Lets one thread at a time write a store. A transaction of many saves keeps it from its beginning to its end.
final class WriteGate: Sendable {
  private let condition = NSCondition()
  nonisolated(unsafe) private var holder: Thread?

  /// Runs work when nobody else writes.
  ///
  /// - Throws: an error when this thread is in a transaction already, which would wait for itself.
  func hold<Value>(_ work: () throws -> Value) throws -> Value {
    try enter()
    defer { leave() }
    return try work()
  }

  private func enter() throws {
    condition.lock()
    defer { condition.unlock() }
    if holder === Thread.current {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "the thread is in a transaction of this store; fetch and save in the transaction's context"
      )
    }
    while holder != nil { condition.wait() }
    holder = Thread.current
  }

  private func leave() {
    condition.lock()
    holder = nil
    condition.signal()
    condition.unlock()
  }
}
