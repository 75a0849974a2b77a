import CSystemSQLite
import SQLiteDriver

/// Compares Z_PRIMARYKEY with the entities and with the keys that are in use.
struct SQLitePrimaryKeyCheck {
  let schema: SQLSchema
  let database: Database

  func findings() throws -> [StoreFinding] {
    let rows = try rows()
    return try schema.entities.flatMap { entity -> [StoreFinding] in
      guard let row = rows[entity.number] else { return [missing(entity)] }
      return parent(entity, row: row)
        + (entity.entity === entity.table.root ? try last(entity, row: row) : [])
    }
  }

  private struct Row {
    let parent: Int64
    let last: Int64
  }

  private func rows() throws -> [Int64: Row] {
    var rows: [Int64: Row] = [:]
    let query = SQLStatement(sql: "SELECT Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY")
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      rows[sqlite3_column_int64(row, 0)] = Row(
        parent: sqlite3_column_int64(row, 1),
        last: sqlite3_column_int64(row, 2)
      )
    }
    return rows
  }

  private func parentNumber(_ entity: SQLEntity) -> Int64 {
    entity.entity.superentity.flatMap { schema.entity(modelNumber: Int32($0.number)) }?.number ?? 0
  }

  private func lastKey(_ entity: SQLEntity) throws -> Int64 {
    let query = SQLStatement(sql: "SELECT MAX(Z_PK) FROM \(SQLiteDialect().identifier(entity.table.name))")
    return try SQLiteQuery(query, in: database, isCached: false).integer() ?? 0
  }

  private func missing(_ entity: SQLEntity) -> StoreFinding {
    let name = entity.entity.name ?? ""
    let quoted = name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    let last =
      entity.entity === entity.table.root
      ? "(SELECT COALESCE(MAX(Z_PK), 0) FROM \(SQLiteDialect().identifier(entity.table.name)))" : "0"
    return StoreFinding(
      kind: .primaryKeys,
      problem: "Z_PRIMARYKEY has no row for \(name)",
      remedy: "add it with the number \(entity.number)",
      repair: .statements([
        """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) \
        VALUES (\(entity.number), '\(quoted)', \(parentNumber(entity)), \(last))
        """
      ])
    )
  }

  private func parent(_ entity: SQLEntity, row: Row) -> [StoreFinding] {
    let number = parentNumber(entity)
    if row.parent == number { return [] }
    return [
      StoreFinding(
        kind: .primaryKeys,
        problem:
          "Z_PRIMARYKEY says that \(entity.entity.name ?? "") inherits from the entity \(row.parent); it is \(number)",
        remedy: "set its Z_SUPER to \(number)",
        repair: .statements(["UPDATE Z_PRIMARYKEY SET Z_SUPER = \(number) WHERE Z_ENT = \(entity.number)"])
      )
    ]
  }

  private func last(_ entity: SQLEntity, row: Row) throws -> [StoreFinding] {
    let last = try lastKey(entity)
    if row.last >= last { return [] }
    return [
      StoreFinding(
        kind: .primaryKeys,
        problem: """
          Z_PRIMARYKEY says that the last key of \(entity.entity.name ?? "") is \(row.last); \
          \(entity.table.name) has the key \(last)
          """,
        remedy: "set its Z_MAX to \(last), so that no key is given out twice",
        repair: .statements(["UPDATE Z_PRIMARYKEY SET Z_MAX = \(last) WHERE Z_ENT = \(entity.number)"])
      )
    ]
  }
}
