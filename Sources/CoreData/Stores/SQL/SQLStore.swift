/// A store in an SQL database. The readers of all of them are the same; a store has its own connections and errors.
protocol SQLStore: BoundedDestinationStore {
  /// The parts that an open store stands on.
  associatedtype Engine: SQLEngine

  /// - Throws: an error when the store is closed.
  func engine() throws -> Engine

  /// Names the store in the errors of some work.
  func reading<Value>(_ failing: String, _ body: () throws -> Value) throws -> Value

  /// Has the database answer a query. Memory decides if the database gives up an evaluation that memory can do.
  static func answering<Value>(
    _ answer: () throws -> Value,
    orElse decide: () throws -> Value
  ) throws -> Value

  /// The values that a query asks for, at one state of the store; `nil` when memory has to compute them.
  func aggregate(
    _ query: AggregateQuery,
    from source: some SQLReadSource<Engine.Newest.Connection>
  ) throws -> AggregateRows?
}

/// The parts that an open store in an SQL database stands on.
protocol SQLEngine: AnyObject, Sendable {
  associatedtype Newest: SQLReadSource

  /// The newest state of the store.
  var newest: Newest { get }

  /// Reads the objects of the store.
  ///
  /// - Parameter index: the index of the store.
  func reader(_ index: Int32) -> SQLReader
}
