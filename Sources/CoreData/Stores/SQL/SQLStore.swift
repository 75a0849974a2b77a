import Foundation

/// A store in an SQL database. The readers of all of them are the same; a store has its own connections and errors.
package protocol SQLStore: BoundedDestinationStore, SQLSourceReader
where Engine.Connections.Session.Store == Self {
  /// The parts that an open store stands on.
  associatedtype Engine: SQLEngine

  /// - Throws: an error when the store is closed.
  func engine() throws -> Engine

  /// Names the store in the errors of some work.
  func reading<Value>(_ failing: String, _ body: () throws -> Value) throws -> Value

  /// Has the database answer a query. Memory decides if the database gives up an evaluation that memory can do.
  static func answering<Value>(_ answer: () throws -> Value, orElse decide: () throws -> Value) throws -> Value

  /// The metadata, and what of them waits for the next save.
  var metadataState: StoreMetadataState { get }

  /// The store as its errors name it.
  var storeName: String { get }

  /// The values that a query asks for, at one state of the store; `nil` when memory has to compute them.
  func aggregate(
    _ query: AggregateQuery,
    from source: some SQLReadSource<Engine.Newest.Connection>
  ) throws -> AggregateRows?

  /// Commits a change set in a transaction, or as a part of one.
  ///
  /// - Parameter rest: called after the changes are written; if it throws or returns an outcome, they are rolled back.
  func commit(
    _ changes: ChangeSet,
    through target: some SQLWriteTarget<Session>,
    and rest: (Session) throws -> CommitOutcome?
  ) throws -> CommitOutcome

  /// Inserts objects in a transaction, or as a part of one.
  func insertAll(_ insertion: BatchInsertion, through target: some SQLWriteTarget<Session>) throws
    -> BatchOutcome
}

extension SQLStore {
  package typealias Session = Engine.Connections.Session

  package var hasUnsavedMetadata: Bool { metadataState.changed != nil }

  /// The save itself records which keys it has written.
  package func savingMetadata(_ save: () throws -> CommitOutcome) throws -> CommitOutcome { try save() }

  /// The address of the store.
  package var place: URL { url ?? StoreFile.nowhere }

  /// - Throws: an error when the store is closed, or may only be read.
  package func writableEngine() throws -> Engine {
    let engine = try engine()
    if !isReadOnly, !engine.isReadOnly { return engine }
    let wasAskedFor = (options?[NSReadOnlyPersistentStoreOption] as? Bool) ?? false
    let reason =
      engine.hasHistory && !wasAskedFor
      ? "has a history, and can only be read without it; open it with the option NSPersistentHistoryTrackingKey"
      : "was opened read-only and cannot be changed"
    throw StoreFailure.save("The store \(storeName) \(reason).", file: place)
  }

  /// The error of a store that is closed.
  package var closedError: any Error {
    StoreFailure.operation("The store \(storeName) is closed; add it to a coordinator again.", file: place)
  }
}

/// The parts that an open store in an SQL database stands on.
package protocol SQLEngine: AnyObject, Sendable {
  associatedtype Newest: SQLReadSource
  associatedtype Connections: SQLWriteTarget

  var schema: SQLSchema { get }
  var connections: Connections { get }

  /// True when the connections only read.
  var isReadOnly: Bool { get }

  /// True when the store has a history, whether or not it is continued.
  var hasHistory: Bool { get }

  /// The newest state of the store.
  var newest: Newest { get }

  /// Reads the objects of the store.
  ///
  /// - Parameter index: the index of the store.
  func reader(_ index: Int32) -> SQLReader
}
