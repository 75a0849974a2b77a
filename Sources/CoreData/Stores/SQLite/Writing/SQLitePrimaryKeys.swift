import CSystemSQLite
import Foundation
import SQLiteDriver

/// Gives out keys. All entities under one root share a count, kept in the root's row of `Z_PRIMARYKEY`.
struct SQLitePrimaryKeys {
  let engine: SQLiteStore.Engine
  let database: Database

  /// Takes some keys that follow each other, in the transaction that is open.
  ///
  /// - Parameter root: the root's number in the model.
  /// - Returns: the first of them.
  func reserve(_ count: Int, root: Int32) throws -> Int64 {
    guard let entity = engine.schema.entity(modelNumber: root) else {
      throw StoreFailure.save("The store does not keep the entity with the number \(root).")
    }
    // The key of an existing row is never assigned again, whatever the stored last key is.
    let table = engine.dialect.identifier(entity.table.name)
    let greatest = "COALESCE((SELECT MAX(Z_PK) FROM \(table)), 0)"
    let update = SQLStatement(
      sql: """
        UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(COALESCE(CAST(Z_MAX AS INTEGER), 0), \(greatest)) + ? \
        WHERE Z_ENT = ? RETURNING Z_MAX
        """,
      bindings: [.integer(Int64(count)), .integer(entity.number)]
    )
    if let last = try lastKey(update, entity: entity) { return last - Int64(count) + 1 }
    let insertion = SQLStatement(
      sql: """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, \(greatest) + ?) RETURNING Z_MAX
        """,
      bindings: [.integer(entity.number), .text(entity.entity.name ?? ""), .integer(Int64(count))]
    )
    return try (lastKey(insertion, entity: entity) ?? 0) - Int64(count) + 1
  }

  /// Runs a statement that gives out keys.
  ///
  /// - Returns: the last of them; `nil` when the count of the entity has no row.
  private func lastKey(_ statement: SQLStatement, entity: SQLEntity) throws -> Int64? {
    var last: Int64?
    try SQLiteQuery(statement, in: database, isCached: true).forEachRow { row in
      // SQLite makes a floating point number of a sum that is too large.
      guard sqlite3_column_type(row, 0) == SQLITE_INTEGER else {
        throw Self.exhausted(entity.table.name, file: engine.file)
      }
      last = sqlite3_column_int64(row, 0)
    }
    return last
  }

  /// The error of a table without unused keys. Saves do not reach that number of rows, but any
  /// program can write a large key.
  static func exhausted(_ table: String, file: URL) -> any Error {
    StoreFailure.save(
      """
      \(file.path): no keys are left for new rows of \(table): Z_MAX of Z_PRIMARYKEY, or a row, says that they end at \
      \(Int64.max). The store was edited by something else; set Z_MAX, and the keys of rows, to what they were.
      """,
      file: file
    )
  }
}
