/// The target of a store's writes: its connections, or a transaction of many saves.
package protocol SQLWriteTarget<Session>: AnyObject {
  associatedtype Session: SQLWriteSession

  /// Makes a change in a transaction, which is committed completely or not at all. A target may make it again when
  /// the transaction fails before it is committed.
  ///
  /// - Parameters:
  ///   - origin: the author and the context that the history names.
  ///   - canRepeat: false when the change cannot be made again.
  func change<Value>(
    _ store: Session.Store,
    origin: ChangeOrigin,
    canRepeat: () -> Bool,
    _ body: (Session) throws -> Value
  ) throws -> Value
}

extension SQLWriteTarget {
  package func change<Value>(
    _ store: Session.Store,
    origin: ChangeOrigin = ChangeOrigin(),
    _ body: (Session) throws -> Value
  ) throws -> Value {
    try change(store, origin: origin, canRepeat: { true }, body)
  }
}

/// One change of a store, in one transaction: a save or a batch.
package protocol SQLWriteSession: AnyObject {
  associatedtype Store: SQLStore

  func delete(_ deletion: BatchDeletion) throws -> BatchOutcome
  func insert(_ insertion: BatchInsertion) throws -> BatchOutcome
  func update(_ update: BatchUpdate) throws -> BatchOutcome

  /// Writes some keys of the metadata, and leaves the others as they are.
  ///
  /// - Returns: all that is written.
  func write(_ keys: Set<String>, of metadata: StoreMetadata) throws -> StoreMetadata
}
