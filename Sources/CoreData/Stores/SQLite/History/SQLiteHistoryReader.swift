import CSystemSQLite
import Foundation
import SQLiteDriver

/// Reads the history of a store.
struct SQLiteHistoryReader: SQLHistoryReader {
  typealias Wanted = SQLStatement?

  static let preparation = SQLPreparation.once

  let store: SQLiteStore
  let engine: SQLiteStore.Engine
  let tables: SQLiteHistoryTables
  let database: Database
  var queries: SQLiteQueryConnection { SQLiteQueryConnection(database: database) }

  func extent() throws -> HistoryExtent {
    let first = SQLStatement(sql: "SELECT MIN(Z_PK) FROM ATRANSACTION")
    return HistoryExtent(
      first: try SQLiteQuery(first, in: database, isCached: true).integer(),
      last: try SQLiteHistoryTables.last(SQLiteHistoryTables.transactionNumber, table: "ATRANSACTION", in: database)
    )
  }

  func transactionQuery(_ range: HistoryRange) -> SQLStatement {
    let texts = ["AUTHOR", "CONTEXTNAME", "BUNDLEID", "PROCESSID"].map(tables.text).joined(separator: ", ")
    let condition = range.condition
    return SQLStatement(
      sql: "SELECT Z_PK, ZTIMESTAMP, \(texts) FROM ATRANSACTION WHERE \(condition.sql) ORDER BY Z_PK",
      bindings: condition.bindings
    )
  }

  func changeQuery(_ condition: SQLStatement) -> SQLStatement {
    let tombstones = (0..<tables.tombstoneCount).map { ", ZTOMBSTONE\($0)" }.joined()
    return SQLStatement(
      sql: """
        SELECT Z_PK, ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(tombstones) FROM ACHANGE \
        WHERE \(condition.sql)
        """,
      bindings: condition.bindings
    )
  }

  func changeCondition(_ range: HistoryRange) -> SQLStatement {
    let condition = range.condition
    return SQLStatement(
      sql: "ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition.sql)) ORDER BY Z_PK",
      bindings: condition.bindings
    )
  }

  func columns(of entity: SQLEntity) -> HistoryColumns { tables.columns(of: entity) }

  func tombstone(_ source: SQLiteRow, entity: SQLEntity) throws -> [AnyHashable: Any] {
    var tombstone = HistoryTombstone(entity)
    let preserved = tables.columns(of: entity).preserved.prefix(tables.tombstoneCount)
    guard !preserved.isEmpty, let lookup = engine.plans.lookup(root: entity.layout.rootNumber),
      let shape = lookup.plan.shapes.first(where: { $0.entity === entity })
    else { return [:] }
    let reader = SQLRowReader<SQLiteRow>(engine.reader(store.index), plan: lookup.plan, capacity: 1)
    for (index, value) in preserved.enumerated() {
      guard let cell = source.cell(Int32(6 + index)), let field = shape.field(of: value),
        let attribute = HistoryTombstone.attribute(of: value, entity: entity)
      else { continue }
      tombstone.set(
        try reader.value(cell, field: field, attribute: attribute, in: source),
        value: value,
        attribute: attribute
      )
    }
    return tombstone.values
  }

}

extension SQLRowPlan.Shape {
  /// The field that decodes a value which a deletion has preserved.
  func field(of value: HistoryColumns.PreservedValue) -> SQLRowPlan.Field? {
    if value.path.isEmpty { return fields.first { $0.slot == value.slot } }
    let composite = composites.first { $0.slot == value.slot }
    return composite?.elements.first { $0.element.path == value.path }?.field
  }
}

extension HistoryRange {
  /// The condition that transactions of the range fulfil.
  var condition: SQLStatement {
    switch self {
    case .everything: SQLStatement(sql: "1")
    case .nothing: SQLStatement(sql: "0")
    case .after(let number): SQLStatement(sql: "Z_PK > ?", bindings: [.integer(number)])
    case .before(let number): SQLStatement(sql: "Z_PK < ?", bindings: [.integer(number)])
    case .afterDate(let date):
      SQLStatement(sql: "ZTIMESTAMP > ?", bindings: [.real(date.timeIntervalSinceReferenceDate)])
    case .beforeDate(let date):
      SQLStatement(sql: "ZTIMESTAMP < ?", bindings: [.real(date.timeIntervalSinceReferenceDate)])
    case .numbers(let numbers):
      SQLStatement(
        sql: "Z_PK IN (\(numbers.map { _ in "?" }.joined(separator: ", ")))",
        bindings: numbers.map(SQLValue.integer)
      )
    }
  }
}
