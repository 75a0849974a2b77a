import GRDB

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
    let new = last + Int64(count)
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

  /// Takes note of a key that was given out elsewhere, in the transaction that is open.
  ///
  /// - Parameter root: the root's number in the model.
  func note(_ key: Int64, root: Int32) throws {
    guard let entity = engine.schema.entity(modelNumber: root) else { return }
    let update = SQLStatement(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND COALESCE(Z_MAX, 0) < ?",
      bindings: [.integer(key), .integer(entity.number), .integer(key)]
    )
    try SQLiteQuery(update, in: database, isCached: true).run()
  }

  private func integer(_ sql: String, _ bindings: [SQLValue]) throws -> Int64 {
    let query = SQLStatement(sql: sql, bindings: bindings)
    return try SQLiteQuery(query, in: database, isCached: true).integer() ?? 0
  }
}
