#if PostgreSQL
  import CoreData

  extension PostgreSQLStore: DrainableStore {
    func refuseWrites() { (try? engine())?.connections.work.refuse(.write) }

    nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
      guard let work = (try? engine())?.connections.work else { return true }
      guard await work.drain(.write, until: deadline) else { return false }
      // Writers may have to read, so reads are refused after the writes have ended. They must be
      // refused, because readers start again and again.
      work.refuse(.read)
      return await work.drain(.read, until: deadline)
    }

    func interrupt() { (try? engine())?.connections.work.interrupt() }
  }
#endif
