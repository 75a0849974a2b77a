/// A store whose work can be brought to an end before it is closed.
protocol DrainableStore: ObjectStore {
  /// Refuses those who wait to write, and those who come to write from now on. Who writes goes on.
  func refuseWrites()

  /// Suspends the caller until nobody reads or writes the store, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool

  /// Ends the statements that are being run, in their middle. A transaction that is not committed
  /// is rolled back by the error, and what is between two statements is not seen.
  func interrupt()
}
