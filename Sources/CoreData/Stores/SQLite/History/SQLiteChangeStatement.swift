import Foundation
import GRDB

/// The statement by which a transaction of a history gets its changes: it is prepared once, and keeps what all
/// changes have in common.
struct SQLiteChangeStatement {
  private let query: SQLiteQuery

  /// - Parameter transaction: the number of the transaction.
  init(of transaction: Int64, in database: Database) throws {
    let common: [SQLValue] = [
      .null, .integer(SQLiteHistoryTables.changeNumber), .null, .null, .null, .integer(transaction), .null,
    ]
    let sql = """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    query = try SQLiteQuery(SQLStatement(sql: sql, bindings: common), in: database, isCached: true)
  }

  /// Writes a change of the object with a key.
  ///
  /// - Parameters:
  ///   - number: the number of the change.
  ///   - columns: the bits of the properties that an update has changed; null for other changes.
  func write(
    _ number: Int64,
    _ type: NSPersistentHistoryChangeType,
    of key: Int64,
    _ entity: SQLEntity,
    columns: SQLValue
  ) throws {
    try query.bind(.integer(number), at: 1)
    try query.bind(.integer(Int64(type.rawValue)), at: 3)
    try query.bind(.integer(entity.number), at: 4)
    try query.bind(.integer(key), at: 5)
    try query.bind(columns, at: 7)
    try query.run()
  }
}
