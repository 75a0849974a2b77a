import Foundation
import SQLiteDriver

/// A reader of a store on a connection of its own: a state of it, or a transaction.
protocol SQLiteConnectionReader: SQLSourceReader, SQLiteReadSource where Store == SQLiteStore {
  var connection: SQLiteConnection { get }
}

extension SQLiteConnectionReader {
  func source() throws -> SQLiteCheckedSource<Self> { try store.engine().checked(self) }
}

/// A source that can run one query of a store: its open connections, or a state of it.
protocol SQLiteReadSource: AnyObject {
  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value
}

extension SQLiteConnections: SQLiteReadSource {}
