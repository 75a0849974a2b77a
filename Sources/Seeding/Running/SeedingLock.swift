import Foundation
import Synchronization

/// Lets one seeding of a store work at a time: two that ran side by side would each find the store empty.
final class SeedingLock: Sendable {
  static let shared = SeedingLock()

  /// The closures that wake those that wait, in order, by the identifier of a store that is being seeded.
  private let waiting = Mutex<[String: [@Sendable () -> Void]]>([:])

  /// Runs the body while no other run seeds the store. The main thread does not wait, because the
  /// other run may need the main queue to finish.
  ///
  /// - Throws: On the main thread, a `SeedError` with the code `alreadyRunning` while another
  ///   seeding is at work; the errors of the body.
  func wait<Result>(for store: String, _ body: () throws -> Result) throws -> Result {
    let semaphore = DispatchSemaphore(value: 0)
    let canWait = !Thread.isMainThread
    guard acquire(store, orWait: canWait, then: { semaphore.signal() }) else {
      throw SeedError(
        code: .alreadyRunning,
        problem: "the store is being seeded at this moment, and the main thread cannot wait for it",
        remedy: "seed once, or from a SeedOperation"
      )
    }
    semaphore.wait()
    defer { finish(store) }
    return try body()
  }

  /// The same for tasks, which suspend.
  func wait<Result>(
    for store: String,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async throws -> Result {
    await withCheckedContinuation { continuation in
      _ = acquire(store, orWait: true, then: { continuation.resume() })
    }
    defer { finish(store) }
    return try await body()
  }

  /// Calls `resume` when it is the caller's turn, which may be now. False if it is not and waiting is out of question.
  private func acquire(_ store: String, orWait canWait: Bool, then resume: @escaping @Sendable () -> Void)
    -> Bool
  {
    let isFree: Bool? = waiting.withLock { waiting in
      guard waiting[store] != nil else {
        waiting[store] = []
        return true
      }
      guard canWait else { return nil }
      waiting[store]?.append(resume)
      return false
    }
    if isFree == true { resume() }
    return isFree != nil
  }

  /// Hands the turn on to one that waits, or gives it up.
  private func finish(_ store: String) {
    let next: (@Sendable () -> Void)? = waiting.withLock { waiting in
      guard let first = waiting[store]?.first else {
        waiting[store] = nil
        return nil
      }
      waiting[store]?.removeFirst()
      return first
    }
    next?()
  }
}
