/// A store as a save sees it that holds its write lock, and reads and commits through it.
package protocol LockedStore: ObjectChannel {
  /// Commits a change set completely or not at all, as ``ObjectChannel/commit(_:)`` does, together with other stores.
  ///
  /// - Parameter others: called after the changes are written and before they are committed; if it
  ///   throws or returns an outcome, they are rolled back.
  func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome
}

extension ObjectStore {
  /// Excludes all other writers, in this process and elsewhere, while the work commits a save.
  ///
  /// A store that does not support this is written without the lock.
  package func whileLocked(_ work: (any LockedStore) throws -> CommitOutcome) throws -> CommitOutcome { try work(self) }
}
