#if PostgreSQL
  import CoreData
  import Dispatch
  import Foundation
  import PostgreSQLDriver

  /// The pauses between attempts at some work, which grow until the time of a store, or of the call, is over.
  struct PostgreSQLRetryBackoff {
    private let work: PostgreSQLWork
    private let kind: PostgreSQLWork.Kind
    private let time: Duration
    /// The moment at which it ends; `nil` before the first failure.
    private var limit: ContinuousClock.Instant?
    private var pause = Duration.milliseconds(5)

    /// A server that is back is noticed after this time.
    private static let longestPause = Duration.milliseconds(500)
    private static let subject = "waiting for the server"

    init(work: PostgreSQLWork, kind: PostgreSQLWork.Kind, timeout: TimeInterval) {
      (self.work, self.kind) = (work, kind)
      time = .seconds(timeout)
    }

    /// Waits before the next attempt.
    ///
    /// - Parameter error: the error of the one before.
    /// - Throws: the error when the time is over; another one when the call has ended or the store is closed.
    mutating func wait(after error: any Error) throws {
      let (call, now) = (StoreCall.current, ContinuousClock.now)
      let limit = limit ?? now + time
      self.limit = limit
      // At a random time within the pause, so that two transactions that have collided do not collide again.
      let end = now + pause / Double.random(in: 1...2)
      pause = min(pause * 2, Self.longestPause)
      try work.check(kind)
      try Self.check(call)
      if end >= limit {
        guard var error = error as? PostgreSQLError else { throw error }
        // Marks the error so that no outer caller retries.
        error.wasRepeated = true
        throw error
      }
      let semaphore = DispatchSemaphore(value: 0)
      let wait = work.addWait(kind) { semaphore.signal() }
      let number = call?.onEnd { _ in semaphore.signal() }
      ContextThreads.whileWaiting { _ = semaphore.wait(timeout: end.dispatchTime) }
      if let number { call?.forget(number) }
      work.removeWait(wait)
      try work.check(kind)
      try Self.check(call)
    }

    /// - Throws: an error when the call was cancelled or has ended.
    private static func check(_ call: StoreCall?) throws {
      guard let call, let end = call.end ?? (call.isCancelled ? .cancelled : nil) else { return }
      throw StoreCallEnded(end: end, subject: subject)
    }
  }
#endif
