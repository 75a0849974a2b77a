/// A store whose work can be brought to an end before it is closed.
protocol DrainableStore: ObjectStore {
  /// Refuses waiting writers and new ones. A writer that holds the lock continues.
  func refuseWrites()

  /// Suspends the caller until the store has no readers and no writers, at the latest until a
  /// deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool

  /// Ends the statements that are being run, in their middle. A transaction that is not committed
  /// is rolled back by the error, and what is between two statements is not seen.
  func interrupt()
}
