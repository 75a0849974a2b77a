/// A store as a save sees it that holds its write lock, and reads and commits through it.
protocol LockedStore: ObjectChannel {
  /// Keeps all of a change set or nothing, as ``ObjectChannel/commit(_:)`` does, with other stores.
  ///
  /// - Parameter others: called when the changes are written and before they are kept; what it
  ///   throws, or answers, takes them back.
  func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws -> CommitOutcome
}

extension ObjectStore {
  /// Keeps others from writing the store, in this process and elsewhere, while work commits a save.
  ///
  /// A store that cannot do that is written as it is.
  func whileLocked(_ work: (any LockedStore) throws -> CommitOutcome) throws -> CommitOutcome {
    try work(self)
  }
}
