import Foundation

/// Perennial's own, for servers.
extension NSPersistentStoreCoordinator {
  /// Returns the present activity of an open store. The method reads nothing from the store, so
  /// that a program can call it as often as it needs.
  ///
  /// - Returns: zeros for a store without connections, such as one in memory or an XML file.
  /// - Throws: `NSPersistentStoreOperationError` in `NSCocoaErrorDomain` when the store is not open in
  ///   this coordinator.
  public final func activity(of store: NSPersistentStore) throws -> StoreActivity {
    try (openStore(store, toBe: "asked what it is at") as? any MonitoredStore)?.activity() ?? StoreActivity()
  }

  /// Checks whether an open store can do its work. The check takes the write lock for a moment. It finds out whether
  /// the file is still there, whether it belongs to the model that the store was opened with, and whether the disk has
  /// free space for it to grow. Nothing is written. The check of a read-only store takes no lock.
  ///
  /// ```swift
  /// for store in container.persistentStoreCoordinator.persistentStores {
  ///   let health = try await container.persistentStoreCoordinator
  ///     .health(of: store, deadline: requestDeadline)
  ///   for problem in health.problems { print(problem) }
  /// }
  /// ```
  ///
  /// Only SQLite stores are checked. Stores of other types are always reported as healthy; their
  /// problems appear when they save.
  ///
  /// - Parameters:
  ///   - store: the store, which is open in this coordinator.
  ///   - limits: the values beyond which the check reports a problem.
  ///   - deadline: the time by which other writers have to be done. After that time, the store is reported as busy.
  /// - Throws: `NSPersistentStoreOperationError` in `NSCocoaErrorDomain` when the store is not open in this
  ///   coordinator, `CancellationError` when the task is cancelled. The outcome lists the problems of the store itself.
  nonisolated(nonsending) public final func health(
    of store: NSPersistentStore,
    limits: StoreHealthLimits = StoreHealthLimits(),
    deadline: ContinuousClock.Instant = .now + .seconds(1)
  ) async throws -> StoreHealth {
    guard let store = try openStore(store, toBe: "looked at") as? any MonitoredStore else { return StoreHealth() }
    return try await store.health(limits, until: deadline)
  }

  /// Sets a monitor that observes the work of the coordinator's contexts with its stores, including
  /// stores that are opened later; `nil` removes the monitor.
  package final func setMonitor(_ monitor: (any StoreMonitor)?) { monitoring.monitor = monitor }
}
