import Foundation

/// Perennial's own: Apple's programs are ended by the system, servers by a signal.
extension NSPersistentStoreCoordinator {
  /// Closes all stores in order, as a server does that is to end.
  ///
  /// SQLite stores refuse waiting writers at once, with `NSPersistentStoreOperationError`: their changes were not
  /// committed, and so were never acknowledged. Running saves and fetches go on until they are done or the grace period
  /// is over; the store then interrupts the remaining ones and rolls them back. After that, each store moves its log
  /// into its file, and closes its files. Contexts that are used afterwards get errors.
  ///
  /// ```swift
  /// try await container.persistentStoreCoordinator.close(grace: .seconds(5))
  /// ```
  ///
  /// - Parameter grace: the time that running saves and fetches have to finish.
  /// - Throws: the first error in `NSCocoaErrorDomain` of a store that could not be closed, for example because its
  ///   work goes on five seconds after it was interrupted; the coordinator closes the other stores all the same.
  nonisolated(nonsending) public final func close(grace: Duration = .seconds(10)) async throws {
    let stores = openStores
    let deadline = ContinuousClock.now + max(grace, .zero)
    for case let store as any DrainableStore in stores { store.refuseWrites() }
    var failure: (any Error)?
    for store in stores {
      do {
        if let store = store as? any DrainableStore { try await end(store, deadline: deadline) }
        try remove(store)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Brings the work in a store to an end.
  private nonisolated(nonsending) final func end(
    _ store: any DrainableStore,
    deadline: ContinuousClock.Instant
  ) async throws {
    if await store.drain(until: deadline) { return }
    // A connection that is between two statements is interrupted at its next one.
    let last = max(deadline, .now) + Self.longestEnd
    while ContinuousClock.now < last {
      store.interrupt()
      if await store.drain(until: .now + Self.interval) { return }
    }
    throw StoreFailure.error(
      NSPersistentStoreTimeoutError,
      message: """
        \(store.url?.storeName ?? "the store") is not closed: a block is still reading or writing it, and goes on after errors. End \
        the block when it gets one.
        """,
      file: store.url
    )
  }

  private static let interval = Duration.milliseconds(20)
  /// The time for which work is interrupted again and again.
  private static let longestEnd = Duration.seconds(5)
}
