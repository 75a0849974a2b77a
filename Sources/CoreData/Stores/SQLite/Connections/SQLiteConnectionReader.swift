import Foundation
import SQLiteDriver

/// A reader of a store on a connection of its own: a state of it, or a transaction.
protocol SQLiteConnectionReader: ObjectReader, AggregateReader, SQLiteReadSource {
  var store: SQLiteStore { get }
  var connection: SQLiteConnection { get }
}

extension SQLiteConnectionReader {
  func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try store.fetch(query, from: self) }

  func count(_ query: FetchQuery) throws -> Int { try store.count(query, from: self) }

  func aggregate(_ query: AggregateQuery) throws -> AggregateRows? { try store.aggregate(query, from: self) }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try store.row(of: reference, layout: layout, from: self)
  }

  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try store.destinations(of: relationship, from: reference, layout: layout, from: self)
  }

  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    try store.destinations(of: relationship, fromEach: references, layout: layout, from: self)
  }
}

/// A source that can run one query of a store: its open connections, or a state of it.
protocol SQLiteReadSource: AnyObject {
  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value
}

extension SQLiteConnections: SQLiteReadSource {}
