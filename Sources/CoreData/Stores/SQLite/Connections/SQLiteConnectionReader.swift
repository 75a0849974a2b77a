import Foundation
import GRDB

/// A reader of a store on a connection of its own: a state of it, or a transaction.
protocol SQLiteConnectionReader: ObjectReader, AggregateReader, SQLiteReadSource {
  var store: SQLiteStore { get }
  var connection: DatabaseQueue { get }
}

extension SQLiteConnectionReader {
  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try connection.unsafeRead(body)
  }

  func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try store.fetch(query, from: self) }

  func count(_ query: FetchQuery) throws -> Int { try store.count(query, from: self) }

  func aggregate(_ query: AggregateQuery) throws -> AggregateRows? {
    try store.aggregate(query, from: self)
  }

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

/// The state of a store at one time: a connection that stays in the transaction it read first.
///
/// In WAL mode others go on writing beside it.
final class SQLiteSnapshot: StoreReader, SQLiteConnectionReader {
  let store: SQLiteStore
  let connection: DatabaseQueue

  init(_ store: SQLiteStore, _ connections: SQLiteConnections) throws {
    self.store = store
    connection = try connections.openReader(holdingTransactions: true)
    try connection.unsafeRead { database in
      try database.execute(sql: "BEGIN DEFERRED TRANSACTION")
      // The state is the one that the first query sees.
      try SQLiteQuery(SQLStatement(sql: "SELECT 1 FROM Z_METADATA"), in: database, isCached: false).run()
    }
  }

  /// Lets go of the state. Whoever reads it then gets an error.
  func close() throws { try connection.close() }
}

/// A source that can run one query of a store: its open connections, or a state of it.
protocol SQLiteReadSource: AnyObject {
  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value
}

extension SQLiteConnections: SQLiteReadSource {}
