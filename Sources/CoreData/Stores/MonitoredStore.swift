/// A store that says how it is doing.
protocol MonitoredStore: ObjectStore {
  /// Has a monitor told of waits and of transactions; `nil` for none any more.
  func setMonitor(_ monitor: (any StoreMonitor)?)

  /// What the store is at. It reads nothing of the store.
  func activity() throws -> StoreActivity

  /// Looks whether the store can do its work.
  ///
  /// - Parameter deadline: the time by which others who write have to be done.
  nonisolated(nonsending) func health(
    _ limits: StoreHealthLimits,
    until deadline: ContinuousClock.Instant
  ) async -> StoreHealth
}
