import CSystemSQLite
import Foundation
import SQLiteDriver

extension SQLiteStore {
  /// The names of the files that the columns of a query's rows have.
  static func fileNames(_ query: SQLStatement, database: Database, isCached: Bool = false) throws
    -> [String]
  {
    var names: [String] = []
    try SQLiteQuery(query, in: database, isCached: isCached).forEachRow { row in
      for column in 0..<sqlite3_column_count(row) where sqlite3_column_type(row, column) == SQLITE_BLOB {
        let cell = SQLiteCell(statement: row, column: column)
        if let name = ExternalDataFolder.fileName(try cell.bytes()) { names.append(name) }
      }
    }
    return names
  }
}

extension SQLiteWriteSession: SQLWriteSession {
  typealias Store = SQLiteStore

  func delete(_ deletion: BatchDeletion) throws -> BatchOutcome {
    try namingObject(of: deletion.query) { try SQLiteBatchDeletion(deletion: deletion, session: self).run() }
  }

  func insert(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try SQLiteBatchInsertion(insertion: insertion, session: self).run()
  }

  func update(_ update: BatchUpdate) throws -> BatchOutcome {
    try namingObject(of: update.query) { try SQLiteBatchUpdate(update: update, session: self).run() }
  }

  func write(_ keys: Set<String>, of metadata: StoreMetadata) throws -> StoreMetadata {
    try metadata.write(keys, to: database, file: store.file)
  }

  /// Carries out a batch. If a regular expression could not be matched, memory finds the object, because SQLite does not
  /// report it.
  private func namingObject<Value>(of query: FetchQuery, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where SQLiteTextFunctions.hasGivenUp(error) {
      _ = try reader.rows(of: reader.residue(query, decidesAll: true), includesRows: false, on: queries)
      throw error
    }
  }
}
