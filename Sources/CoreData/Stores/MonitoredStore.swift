/// A store that says how it is doing, and tells the monitor of its coordinator of waits and transactions.
package protocol MonitoredStore: ObjectStore {
  /// The store's current activity. The call does not read the store.
  func activity() throws -> StoreActivity

  /// Looks whether the store can do its work.
  ///
  /// - Parameter deadline: the time by which other writers must have finished.
  /// - Throws: `CancellationError` when the task is cancelled.
  nonisolated(nonsending) func health(
    _ limits: StoreHealthLimits,
    until deadline: ContinuousClock.Instant
  ) async throws -> StoreHealth
}
