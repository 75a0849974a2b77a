#if PostgreSQL
  import CoreData

  extension PostgreSQLStore: MonitoredStore {
    func activity() throws -> StoreActivity { try engine().activity }

    nonisolated(nonsending) func health(
      _ limits: StoreHealthLimits,
      until deadline: ContinuousClock.Instant
    ) async throws -> StoreHealth {
      guard let engine = try? engine() else {
        var health = StoreHealth()
        health.add(.closed, description: "The store \(place.absoluteString) is closed; add it to a coordinator again.")
        return health
      }
      return try await PostgreSQLHealthCheck(store: self, engine: engine, limits: limits).run(until: deadline)
    }
  }

  extension PostgreSQLStore.Engine {
    var activity: StoreActivity {
      StoreActivity(
        waitingWriterCount: connections.work.waitingWriterCount,
        busyReaderCount: connections.work.readerCount
      )
    }
  }
#endif
