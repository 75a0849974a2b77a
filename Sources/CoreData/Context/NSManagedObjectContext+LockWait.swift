import Foundation

/// Work that saves, and that keeps the context's queue free while another process has a store's lock.
extension NSManagedObjectContext {
  /// Runs work on the context's queue when the call holds the write locks of the context's stores, and saves what the
  /// work leaves unsaved. While another process has the lock of a store, other work of the queue runs.
  ///
  /// It differs from ``performWrite(deadline:_:)`` only if another process has a lock that the save
  /// needs. The work and its save then fail at once, and are repeated when the lock is free. Between
  /// the attempts the call holds neither the queue nor a write lock, and it blocks no thread. The deadline
  /// bounds the wait, and the timeout of the stores does not.
  ///
  /// - Parameters:
  ///   - deadline: the time by which the work is to be done.
  ///   - whenWaiting: called once, when the call has waited for other processes for a second, with the
  ///     beginning of the wait. It may be called by any thread.
  ///   - block: the work, which runs on the queue of the context, once for each attempt.
  /// - Throws: the error of the work, or of the save, after which the changes are still there and
  ///   unsaved; `NSPersistentStoreTimeoutError` in `NSCocoaErrorDomain` when the deadline passed, and
  ///   `CancellationError` when the task was cancelled, before the changes were committed.
  nonisolated(nonsending) package final func performWrite<Result>(
    deadline: ContinuousClock.Instant,
    whenWaiting: @escaping @Sendable (_ since: ContinuousClock.Instant) -> Void,
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let coordinator = parent == nil ? persistentStoreCoordinator : nil
    return try await StoreCall.bounded(by: deadline) { call in
      try await withTaskExecutorPreference(ContextThreads.shared) {
        try await performBetweenLocks(call, coordinator: coordinator, whenWaiting: whenWaiting) {
          let result = try block()
          if self.hasChanges { try self.save() }
          return result
        }
      }
    }
  }

  /// Repeats work until it meets no lock of another process.
  private nonisolated(nonsending) final func performBetweenLocks<Result>(
    _ call: StoreCall,
    coordinator: NSPersistentStoreCoordinator?,
    whenWaiting: @escaping @Sendable (_ since: ContinuousClock.Instant) -> Void,
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    var wait: OtherProcessWait?
    var failures = 0
    defer { wait?.end() }
    while true {
      do {
        return try await performHoldingLocks(call, coordinator: coordinator) { try call.refusingLocks(block) }
      } catch let error as NSError where call.hasRefusedLock && error.isStoreTimeout {
        if let end = call.end { throw StoreCallEnded(end: end, subject: OtherProcessWait.subject).error() }
        let present = wait ?? OtherProcessWait(call, whenWaiting: whenWaiting)
        wait = present
        try await present.untilUnlocked(coordinator, failures: failures)
        failures += 1
      }
    }
  }
}

/// The wait of a call for locks of other processes, in which it holds no queue, lock or thread.
private struct OtherProcessWait: Sendable {
  static let subject = "waiting for another program that writes the store"

  private let call: StoreCall
  private let beginning: ContinuousClock.Instant
  private let report: Deadlines.Entry

  /// Begins the wait.
  ///
  /// - Parameter whenWaiting: called when the wait lasts as long as a person notices.
  init(_ call: StoreCall, whenWaiting: @escaping @Sendable (_ since: ContinuousClock.Instant) -> Void) {
    let beginning = ContinuousClock.now
    self.call = call
    self.beginning = beginning
    report = Deadlines.shared.add(beginning + LockWait.noticeable) { whenWaiting(beginning) }
  }

  /// Pauses, and then waits until no store of the coordinator is known to be locked.
  ///
  /// If no store can tell, there is one pause, which is longer after each failure, so that the attempts leave the
  /// queue to other work.
  ///
  /// - Parameter failures: the number of failures before the present one.
  /// - Throws: `NSPersistentStoreTimeoutError` in `NSCocoaErrorDomain` at the call's deadline,
  ///   `CancellationError` when its task is cancelled.
  nonisolated(nonsending) func untilUnlocked(_ coordinator: NSPersistentStoreCoordinator?, failures: Int) async throws {
    let stores = coordinator?.openStores ?? []
    var tries = stores.contains { $0 is any WriteLockingStore } ? 0 : failures
    repeat {
      let now = ContinuousClock.now
      let limit = call.deadline.map { $0 - beginning } ?? .seconds(StoreCall.longestTimeout)
      guard let pause = LockWait().pause(after: tries, waited: now - beginning, limit: limit) else {
        throw StoreCallEnded(end: .late, subject: Self.subject).error()
      }
      tries += 1
      try await Task.sleep(for: pause)
    } while stores.contains(where: Self.isLocked)
  }

  /// Ends the wait.
  func end() { Deadlines.shared.remove(report) }

  private static func isLocked(_ store: any ObjectStore) -> Bool {
    !store.isReadOnly && (store as? any WriteLockingStore)?.isLockedElsewhere == true
  }
}

extension NSError {
  /// True for the error of a wait for a store that took too long.
  fileprivate var isStoreTimeout: Bool {
    domain == NSCocoaErrorDomain && code == NSPersistentStoreTimeoutError
  }
}
