extension SQLiteStore: MonitoredStore {
  func activity() throws -> StoreActivity { try engine().activity }

  nonisolated(nonsending) func health(
    _ limits: StoreHealthLimits,
    until deadline: ContinuousClock.Instant
  ) async throws -> StoreHealth {
    guard let engine = try? engine() else {
      var health = StoreHealth()
      health.add(.closed, description: "The store \(file.path) is closed; add it to a coordinator again.")
      return health
    }
    return try await SQLiteHealthCheck(engine: engine, limits: limits) { (try? self.engine()) === engine }
      .run(until: deadline)
  }
}

extension SQLiteStore.Engine {
  var activity: StoreActivity {
    let (count, oldestAge) = states.activity
    return StoreActivity(
      waitingWriterCount: connections.writeLock.waitingCount,
      busyReaderCount: connections.readers?.busyCount ?? 0,
      heldGenerationCount: count,
      oldestGenerationAge: oldestAge,
      logByteCount: connections.opened?.logSize ?? 0
    )
  }
}
