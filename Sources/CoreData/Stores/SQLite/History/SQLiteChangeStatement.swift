import Foundation
import GRDB

/// The statement by which a transaction of a history gets its changes: it is prepared once, and keeps what it was
/// given for the change before, of which most is the same.
struct SQLiteChangeStatement {
  private let query: SQLiteQuery
  private var type: NSPersistentHistoryChangeType?
  private var entity: Int64?
  private var columns: Data?

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
  ///   - entity: the number of the object's entity in the store.
  ///   - columns: the bits of the properties that an update has changed; `nil` for other changes.
  mutating func write(
    _ number: Int64,
    _ type: NSPersistentHistoryChangeType,
    of key: Int64,
    _ entity: Int64,
    columns: Data?
  ) throws {
    try query.bind(.integer(number), at: 1)
    if type != self.type { try query.bind(.integer(Int64(type.rawValue)), at: 3) }
    if entity != self.entity { try query.bind(.integer(entity), at: 4) }
    try query.bind(.integer(key), at: 5)
    if columns != self.columns { try query.bind(columns.map(SQLValue.blob) ?? .null, at: 7) }
    (self.type, self.entity, self.columns) = (type, entity, columns)
    try query.run()
  }
}
