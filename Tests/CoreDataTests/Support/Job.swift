import Foundation

@testable import CoreData

/// Work on a thread of its own, whose end a task waits for without blocking one of those that all tests need.
final class Job<Value: Sendable>: Sendable {
  private let end = SuspendedWait<Value>()

  init(_ work: @escaping @Sendable () throws -> Value) {
    Thread { [end] in end.resume(with: Result(catching: work)) }.start()
  }

  /// Waits for the end of the work.
  ///
  /// - Throws: what the work has thrown.
  func value() async throws -> Value { try await end.untilResumed() }
}
