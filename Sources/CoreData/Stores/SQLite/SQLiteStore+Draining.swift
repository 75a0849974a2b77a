extension SQLiteStore: DrainableStore {
  func refuseWrites() { openConnections?.refuseWrites() }

  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    await openConnections?.drain(until: deadline) ?? true
  }

  func interrupt() { openConnections?.interrupt() }

  /// `nil` when the store is closed.
  private var openConnections: SQLiteConnections? { try? engine().connections }
}
