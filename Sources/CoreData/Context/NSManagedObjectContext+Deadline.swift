import Foundation

/// Perennial's own, for servers: work that ends with its task, or at its deadline, even while it waits.
extension NSManagedObjectContext {
  /// Runs work on the context's queue, and suspends the caller until it is done, at the latest until a deadline.
  ///
  /// When the deadline passes, or the task is cancelled, work that has not begun does not begin. If
  /// the work has begun, its current fetch or save ends and throws. A fetch ends in the middle of
  /// SQLite's statement. A save ends while it waits for other writers, or before it is committed.
  /// The work continues after the error, as it does after any other error.
  ///
  /// ```swift
  /// let titles = try await context.perform(deadline: requestDeadline) {
  ///   try context.fetch(NSFetchRequest<Note>(entityName: "Note")).map(\.title)
  /// }
  /// ```
  ///
  /// Apple's `perform(schedule:_:)` has no deadline and does not see that its task is cancelled;
  /// here, too, but for a save in it that waits for another process.
  ///
  /// - Parameters:
  ///   - deadline: the time by which the work is to be done.
  ///   - block: the work, which runs on the queue of the context.
  /// - Throws: the error of the work; `NSPersistentStoreTimeoutError` in `NSCocoaErrorDomain` when the work could not
  ///   begin by the deadline, `CancellationError` when it could not before its task was cancelled.
  nonisolated(nonsending) public final func perform<Result>(
    deadline: ContinuousClock.Instant,
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await StoreCall.bounded(by: deadline) { call in try await perform(call, block) }
  }

  /// Runs work on the context's queue when the call holds the write locks of the context's stores, and
  /// saves what the work leaves unsaved.
  ///
  /// While the call waits for other writers in the process, it blocks no thread. While the work
  /// runs, no other context of the coordinator saves, so that the save finds the state that the
  /// work has read. The work should be short, and not wait for other writers.
  ///
  /// ```swift
  /// try await context.performWrite(deadline: requestDeadline) {
  ///   note.title = "Sow the broad beans"
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - deadline: the time by which the work is to be done; `nil` for the timeout of the stores.
  ///   - block: the work, which runs on the queue of the context.
  /// - Throws: the error of the work, or of the save, after which the changes are still there and
  ///   unsaved; `NSPersistentStoreTimeoutError` in `NSCocoaErrorDomain` when the work did not get
  ///   the write locks in time, `CancellationError` when its task was cancelled before.
  nonisolated(nonsending) public final func performWrite<Result>(
    deadline: ContinuousClock.Instant? = nil,
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await performHoldingLocks(until: deadline) {
      let result = try block()
      if self.hasChanges { try self.save() }
      return result
    }
  }

  /// Saves the context when the call holds the write locks of its stores.
  ///
  /// It differs from ``save()`` in two ways: it blocks no thread while another save of the process
  /// writes, and it ends with its task, and at its deadline. A child context's changes go to its
  /// parent, and the child waits for the parent's queue without a limit.
  ///
  /// ```swift
  /// await context.perform { note.rating = 4 }
  /// try await context.save(deadline: requestDeadline)
  /// ```
  ///
  /// - Parameter deadline: the time by which the save is to be done.
  /// - Throws: the errors of ``save()``; `NSPersistentStoreTimeoutError` in `NSCocoaErrorDomain`
  ///   when the deadline passed, and `CancellationError` when the task was cancelled, before the
  ///   changes were committed. The changes are still there then, and unsaved.
  nonisolated(nonsending) public final func save(deadline: ContinuousClock.Instant) async throws {
    try await performHoldingLocks(until: deadline) { try self.save() }
  }

  /// Runs work on the context's queue when the call holds the write locks of the stores that the
  /// context saves to; a child saves to its parent.
  private nonisolated(nonsending) final func performHoldingLocks<Result>(
    until deadline: ContinuousClock.Instant?,
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let coordinator = parent == nil ? persistentStoreCoordinator : nil
    return try await StoreCall.bounded(by: deadline) { call in
      try await withTaskExecutorPreference(ContextThreads.shared) {
        try await performHoldingLocks(call, coordinator: coordinator, block)
      }
    }
  }

  /// Runs work on the context's queue when the call holds the coordinator's write locks.
  ///
  /// This method never waits for a write lock while it holds the queue, nor for the queue while it
  /// holds a write lock. The task that holds one of them may be waiting for the other, in a `save()` or
  /// in an observer that merges saved changes.
  nonisolated(nonsending) final func performHoldingLocks<Result>(
    _ call: StoreCall,
    coordinator: NSPersistentStoreCoordinator?,
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    while true {
      if let outcome = try await attemptHoldingLocks(call, coordinator: coordinator, block) {
        return try outcome.get()
      }
      try await queue.waitUntilFree(for: call)
    }
  }

  /// - Returns: `nil` when another caller holds the queue.
  private nonisolated(nonsending) final func attemptHoldingLocks<Result>(
    _ call: StoreCall,
    coordinator: NSPersistentStoreCoordinator?,
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Swift.Result<Result, any Error>? {
    let locks = try await StoreWriteLocks(of: coordinator, for: call)
    defer { ContextThreads.finish(locks.end) }
    guard queue.isMain else { return queue.doIfFree { Swift.Result { try call.run { try doing(block) } } } }
    let block = carrying(block)
    return try await queue.runSoon(call) { Swift.Result { try self.doing(block) } }
  }

  private nonisolated(nonsending) final func perform<Result>(
    _ call: StoreCall,
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let block = carrying(block)
    return try await queue.run(call) { try self.doing(block) }
  }

  /// Does work of the queue, and ends the event.
  private final func doing<Result>(_ block: () throws -> Result) throws -> Result {
    defer { endEvent() }
    return try beingCurrent(block)
  }
}

/// Perennial's own, for servers.
extension NSPersistentContainer {
  /// Runs work in a new background context, and suspends the caller until it is done, at the latest
  /// until a deadline. See ``NSManagedObjectContext/perform(deadline:_:)``.
  ///
  /// - Throws: what the work throws; `NSPersistentStoreTimeoutError` in `NSCocoaErrorDomain` when the work could not
  ///   begin by the deadline, `CancellationError` when it could not before its task was cancelled.
  nonisolated(nonsending) public final func performBackgroundTask<Result>(
    deadline: ContinuousClock.Instant,
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let context = newBackgroundContext()
    return try await context.perform(deadline: deadline) { try block(context) }
  }

  /// Runs work in a new background context when the call holds the write locks of the stores, and saves what
  /// the work leaves unsaved. See ``NSManagedObjectContext/performWrite(deadline:_:)``.
  ///
  /// ```swift
  /// let id = try await container.performBackgroundWrite { context in
  ///   let note = Note(context: context)
  ///   note.title = "Sow the broad beans"
  ///   try context.obtainPermanentIDs(for: [note])
  ///   return note.objectID
  /// }
  /// ```
  ///
  /// - Throws: the error of the work, or of the save; `NSPersistentStoreTimeoutError` in `NSCocoaErrorDomain` when the
  ///   work did not get the write locks in time, `CancellationError` when its task was cancelled before.
  nonisolated(nonsending) public final func performBackgroundWrite<Result>(
    deadline: ContinuousClock.Instant? = nil,
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let context = newBackgroundContext()
    return try await context.performWrite(deadline: deadline) { try block(context) }
  }
}
