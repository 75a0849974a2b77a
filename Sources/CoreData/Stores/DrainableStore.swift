/// A store whose work can be brought to an end before it is closed.
package protocol DrainableStore: ObjectStore {
  /// Refuses waiting writers and new ones. A writer that holds the lock continues.
  func refuseWrites()

  /// Suspends the caller until the store has no readers and no writers, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool

  /// Interrupts the current statements. The error rolls an uncommitted transaction back. A thread
  /// between two statements does not notice the interruption.
  func interrupt()
}
