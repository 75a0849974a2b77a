import Foundation

/// Answers the questions about one object whose reference is known.
package protocol ObjectReader: AnyObject {
  /// The values of one object; `nil` when there is no such object.
  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow?

  /// The destinations of a to-many relationship, in order where it is ordered.
  func destinations(of relationship: Int, from reference: ObjectReference, layout: EntityLayout) throws
    -> [ObjectReference]

  /// The rows of the destinations of a to-many relationship, for each of many objects of one store.
  ///
  /// - Parameter layout: the layout that numbers the relationship; the objects may be of subentities.
  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]]
}

extension ObjectReader {
  /// Asks for one object after the other, where there is no shorter way.
  package func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    guard let destination = layout.toMany[relationship].relationship.frozenDestination?.layout else {
      return references.map { _ in [] }
    }
    return try references.map { reference in
      try destinations(of: relationship, from: reference, layout: layout).compactMap {
        try row(of: $0, layout: destination)
      }
    }
  }
}

/// Answers the questions about the objects of one store, or of a state of it.
package protocol StoreReader: ObjectReader, AggregateReader, Sendable {
  /// The rows that a query asks for, in its order.
  func fetch(_ query: FetchQuery) throws -> [FetchedRow]

  /// The number of rows that a query asks for, limit and offset included.
  func count(_ query: FetchQuery) throws -> Int

  /// Throws the reason for which a state cannot be read any more.
  func requireHeld() throws

  /// Moves a state that no fetch has read yet to the newest one, where that helps the store.
  func beginAnew()
}

/// A store is always read in its present state.
extension StoreReader {
  package func requireHeld() throws {}

  package func beginAnew() {}
}

/// The one way from a context to its data: a parent context, the coordinator and a store all answer it.
package protocol ObjectChannel: ObjectReader, AggregateReader {
  /// The rows that a query asks for, in its order.
  func fetch(_ query: FetchQuery) throws -> [FetchedRow]

  /// The number of rows that a query asks for, limit and offset included.
  func count(_ query: FetchQuery) throws -> Int

  /// A permanent reference for each of these new objects.
  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference]

  /// Keeps all of a change set or nothing.
  func commit(_ changes: ChangeSet) throws -> CommitOutcome

  /// Keeps other writers out of the stores, as far as the stores can, while work commits a save.
  /// The commits are kept when the work returns, and all of them are dropped when the work throws.
  ///
  /// - Parameters:
  ///   - stores: the stores that the save writes, by index.
  ///   - work: gets the channel that reads and commits meanwhile, and answers how the save ended.
  /// - Returns: the outcome of the work.
  func whileLocked(_ stores: Set<Int32>, _ work: (any ObjectChannel) throws -> CommitOutcome) throws -> CommitOutcome

  /// Deletes what a query finds, by the store's own means.
  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome

  /// Inserts objects by the store's own means: all of them or none.
  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome

  /// Changes what a query finds by the store's own means.
  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome
}

/// Most channels have no other writer at the same time, or cannot keep other writers out.
extension ObjectChannel {
  package func whileLocked(
    _ stores: Set<Int32>,
    _ work: (any ObjectChannel) throws -> CommitOutcome
  ) throws -> CommitOutcome {
    try work(self)
  }
}

/// An object that no store knows yet.
// Immutable. The caller holds the object, whose registry keeps the model alive, and the model keeps its layouts alive.
package struct NewObject: @unchecked Sendable {
  let reference: ObjectReference
  unowned(unsafe) let layout: EntityLayout
}
