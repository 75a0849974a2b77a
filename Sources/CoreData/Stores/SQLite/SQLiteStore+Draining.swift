extension SQLiteStore: DrainableStore {
  func refuseWrites() { openEngine?.connections.refuseWrites() }

  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    guard let engine = openEngine else { return true }
    guard await engine.connections.drain(until: deadline) else { return false }
    return await engine.states.drain(until: deadline)
  }

  func interrupt() {
    openEngine?.connections.interrupt()
    openEngine?.states.interrupt()
  }

  /// `nil` when the store is closed.
  private var openEngine: Engine? { try? engine() }
}
