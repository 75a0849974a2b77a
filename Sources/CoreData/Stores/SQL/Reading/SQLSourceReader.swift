/// A reader of a store with one source for all its queries: the store itself reads the newest state, and a
/// snapshot or a transaction reads on a connection of its own.
package protocol SQLSourceReader: ObjectReader, AggregateReader {
  associatedtype Store: SQLStore
  associatedtype Source: SQLReadSource<Store.Engine.Newest.Connection> = Self

  var store: Store { get }

  /// The source of the reader's queries.
  func source() throws -> Source
}

extension SQLSourceReader where Source == Self {
  package func source() -> Self { self }
}

extension SQLSourceReader {
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
