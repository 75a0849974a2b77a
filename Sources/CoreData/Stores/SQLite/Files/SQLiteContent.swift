import CSystemSQLite
import Foundation
import SQLiteDriver

/// The contents of a database that is being opened.
struct SQLiteContent {
  /// Its tables and columns, and the numbers of its entities.
  private(set) var catalog = SQLCatalog()
  /// The metadata; `nil` when the file is not a store.
  private(set) var metadata: StoreMetadata?
  /// True when there is no table at all.
  private(set) var isEmpty = true
  /// True when there is a history with transactions in it.
  private(set) var hasTransactions = false

  init(_ database: Database, file: URL) throws {
    try readTables(database)
    if catalog.table("Z_METADATA") != nil { metadata = try StoreMetadata.read(from: database, file: file) }
    if catalog.table("Z_PRIMARYKEY") != nil { try readNumbers(database) }
    if catalog.table("ATRANSACTION") != nil {
      let query = SQLStatement(sql: "SELECT 1 FROM ATRANSACTION LIMIT 1")
      hasTransactions = try SQLiteQuery(query, in: database, isCached: false).integer() != nil
    }
  }

  private mutating func readTables(_ database: Database) throws {
    // The columns of one table follow each other, as SQLite lists them; to sort them would cost a quarter more.
    let query = SQLStatement(
      sql: """
        SELECT m.name, p.cid, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table'
        """
    )
    var name = ""
    var columns: [String] = []
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      if sqlite3_column_int64(row, 1) == 0 {
        if !columns.isEmpty { catalog.add(table: name, columns: columns) }
        (name, columns) = (try SQLiteCell(statement: row, column: 0).text(), [])
      }
      columns.append(try SQLiteCell(statement: row, column: 2).text())
    }
    if !columns.isEmpty { catalog.add(table: name, columns: columns) }
    isEmpty = catalog.tables.isEmpty
  }

  private mutating func readNumbers(_ database: Database) throws {
    let query = SQLStatement(sql: "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_NAME NOT NULL ORDER BY Z_ENT DESC")
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      let name = try SQLiteCell(statement: row, column: 1).text()
      catalog.entityNumbers[name] = sqlite3_column_int64(row, 0)
    }
  }
}
