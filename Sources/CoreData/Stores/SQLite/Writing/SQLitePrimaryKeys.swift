import Foundation
import GRDB

/// Gives out keys. All entities under one root share a count, kept in the root's row of
/// `Z_PRIMARYKEY`.
struct SQLitePrimaryKeys {
  let engine: SQLiteStore.Engine
  let database: Database

  /// Takes some keys that follow each other, in the transaction that is open.
  ///
  /// - Parameter root: the root's number in the model.
  /// - Returns: the first of them.
  func reserve(_ count: Int, root: Int32) throws -> Int64 {
    guard let entity = engine.schema.entity(modelNumber: root) else {
      throw StoreFailure.error(
        NSPersistentStoreSaveError,
        "The store does not keep the entity with the number \(root)."
      )
    }
    // A key that a row has, whatever the count says, is never given out again.
    let last = try max(
      integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(entity.number)]),
      integer("SELECT MAX(Z_PK) FROM \(engine.dialect.identifier(entity.table.name))", [])
    )
    let (new, overflow) = last.addingReportingOverflow(Int64(count))
    if overflow { throw Self.exhausted(entity.table.name, last, engine.file) }
    let update = SQLStatement(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
      bindings: [.integer(new), .integer(entity.number)]
    )
    if try SQLiteQuery(update, in: database, isCached: true).run() == 0 {
      let insertion = SQLStatement(
        sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, ?)",
        bindings: [.integer(entity.number), .text(entity.entity.name ?? ""), .integer(new)]
      )
      try SQLiteQuery(insertion, in: database, isCached: true).run()
    }
    return last + 1
  }

  /// The error of a table that has no keys left to give out: nobody saves so many rows, but anybody
  /// can write a number.
  static func exhausted(_ table: String, _ last: Int64, _ file: URL) -> any Error {
    StoreFailure.error(
      NSPersistentStoreSaveError,
      """
      \(file.path): no keys are left for new rows of \(table): Z_MAX of Z_PRIMARYKEY, or a row, says that the last one is \
      \(last). The store was edited by something else; set Z_MAX, and the keys of rows, to what they were.
      """,
      file: file
    )
  }

  private func integer(_ sql: String, _ bindings: [SQLValue]) throws -> Int64 {
    let query = SQLStatement(sql: sql, bindings: bindings)
    return try SQLiteQuery(query, in: database, isCached: true).integer() ?? 0
  }
}
