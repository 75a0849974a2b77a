import CSystemSQLite
import Foundation
import SQLiteDriver

/// Hands out the history of a store in SQLite.
struct SQLiteHistoryContents: SQLHistoryContents {
  let engine: SQLiteStore.Engine
  let tables: SQLiteHistoryTables
  let database: Database

  func last() throws -> (transaction: Int64, change: Int64)? {
    let transaction = try SQLiteHistoryTables.last(
      SQLiteHistoryTables.transactionNumber,
      table: "ATRANSACTION",
      in: database
    )
    if transaction == 0 { return nil }
    return (transaction, try SQLiteHistoryTables.last(SQLiteHistoryTables.changeNumber, table: "ACHANGE", in: database))
  }

  func transactions(after number: Int64, atMost count: Int64) throws -> [StreamedTransaction] {
    let texts = ["AUTHOR", "CONTEXTNAME", "BUNDLEID", "PROCESSID"].map(tables.text).joined(separator: ", ")
    let query = SQLStatement(
      sql: """
        SELECT Z_PK, (SELECT MIN(c.Z_PK) FROM ACHANGE c WHERE c.ZTRANSACTIONID = ATRANSACTION.Z_PK), \
        ZTIMESTAMP, \(texts) FROM ATRANSACTION WHERE Z_PK > ? ORDER BY Z_PK LIMIT ?
        """,
      bindings: [.integer(number), .integer(count)]
    )
    var found: [StreamedTransaction] = []
    try SQLiteQuery(query, in: database, isCached: true).forEachRow { row in
      let source = SQLiteRow(statement: row)
      found.append(
        StreamedTransaction(
          number: source.number(0),
          firstChange: max(source.number(1), 1),
          timestamp: sqlite3_column_double(row, 2),
          author: try source.cell(3)?.text(),
          contextName: try source.cell(4)?.text(),
          bundleID: try source.cell(5)?.text(),
          processID: try source.cell(6)?.text()
        )
      )
    }
    return found
  }

  func changes(after number: Int64, atMost count: Int64) throws -> [StreamedChange] {
    let tombstones = (0..<tables.tombstoneCount).map { ", ZTOMBSTONE\($0)" }.joined()
    let query = SQLStatement(
      sql: """
        SELECT Z_PK, ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(tombstones) FROM ACHANGE \
        WHERE Z_PK > ? ORDER BY Z_PK LIMIT ?
        """,
      bindings: [.integer(number), .integer(count)]
    )
    var found: [StreamedChange] = []
    try SQLiteQuery(query, in: database, isCached: true).forEachRow { row in
      found.append(try change(SQLiteRow(statement: row)))
    }
    return found
  }

  private func change(_ row: SQLiteRow) throws -> StreamedChange {
    guard let entity = engine.schema.entity(storeNumber: row.number(3)) else {
      return StreamedChange(ofUnknownEntity: row.number(0), transaction: row.number(1), key: row.number(4))
    }
    let isDeletion = row.number(2) == Int64(NSPersistentHistoryChangeType.delete.rawValue)
    let bits = isDeletion ? nil : try row.cell(5).map { Data(try $0.bytes()) }
    return StreamedChange(
      number: row.number(0),
      transaction: row.number(1),
      type: row.number(2),
      entity: entity.layout.number,
      key: row.number(4),
      properties: bits.map { tables.columns(of: entity).properties($0, of: entity.layout) },
      tombstone: isDeletion ? try tombstone(row, entity: entity) : []
    )
  }

  private func tombstone(_ row: SQLiteRow, entity: SQLEntity) throws -> [StoredValue] {
    let preserved = tables.columns(of: entity).preserved.prefix(tables.tombstoneCount)
    guard !preserved.isEmpty, let lookup = engine.plans.lookup(root: entity.layout.rootNumber),
      let shape = lookup.plan.shapes.first(where: { $0.entity === entity })
    else { return [] }
    let reader = SQLRowReader<SQLiteRow>(engine.reader(0), plan: lookup.plan, capacity: 1)
    return try preserved.enumerated().map { index, value in
      guard let cell = row.cell(Int32(6 + index)), let field = shape.field(of: value) else { return .null }
      return try reader.value(
        cell,
        field: field,
        attribute: HistoryTombstone.attribute(of: value, entity: entity),
        in: row
      )
    }
  }
}
