import Foundation

@testable import CoreData

/// Work on its own thread. A task can wait for its end without blocking a thread of the cooperative pool, which
/// all tests need.
final class Job<Value: Sendable>: Sendable {
  private let end = SuspendedWait<Value>()

  init(_ work: @escaping @Sendable () throws -> Value) {
    Thread { [end] in end.resume(with: Result(catching: work)) }.start()
  }

  /// Waits for the end of the work.
  ///
  /// - Throws: the error of the work.
  func value() async throws -> Value { try await end.untilResumed() }
}
