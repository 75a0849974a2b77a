/// A reader of a store on a connection of its own: a state of it, or a transaction.
package protocol SQLConnectionReader: ObjectReader, AggregateReader {
  associatedtype Store: SQLStore
  associatedtype Source: SQLReadSource<Store.Engine.Newest.Connection> = Self

  var store: Store { get }

  /// The place that the reader runs its queries at.
  func source() throws -> Source
}

extension SQLConnectionReader where Source == Self {
  package func source() -> Self { self }
}

extension SQLConnectionReader {
  package func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try store.fetch(query, from: source()) }

  package func count(_ query: FetchQuery) throws -> Int { try store.count(query, from: source()) }

  package func aggregate(_ query: AggregateQuery) throws -> AggregateRows? {
    try store.aggregate(query, from: source())
  }

  package func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try store.row(of: reference, layout: layout, from: source())
  }

  package func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try store.destinations(of: relationship, from: reference, layout: layout, from: source())
  }

  package func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    try store.destinations(of: relationship, fromEach: references, layout: layout, from: source())
  }
}
