import CSystemSQLite
import Foundation
import SQLiteDriver

/// Reads the history of a store.
struct SQLiteHistoryReader {
  let store: SQLiteStore
  let engine: SQLiteStore.Engine
  let tables: SQLiteHistoryTables
  let database: Database

  func extent() throws -> HistoryExtent {
    let first = SQLStatement(sql: "SELECT MIN(Z_PK) FROM ATRANSACTION")
    return HistoryExtent(
      first: try SQLiteQuery(first, in: database, isCached: true).integer(),
      last: try SQLiteHistoryTables.last(
        SQLiteHistoryTables.transactionNumber,
        table: "ATRANSACTION",
        in: database
      )
    )
  }

  /// The transactions of a range, the oldest first.
  func transactions(_ range: HistoryRange, includesChanges: Bool) throws -> [NSPersistentHistoryTransaction] {
    let transactions = try transactions(range)
    guard includesChanges, !transactions.isEmpty else { return transactions }
    let byNumber = Dictionary(
      transactions.map { ($0.transactionNumber, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let changes = try changes(range, of: byNumber)
    return transactions.map { $0.with(changes[$0.transactionNumber] ?? []) }
  }

  func transactions(_ range: HistoryRange) throws -> [NSPersistentHistoryTransaction] {
    let texts = ["AUTHOR", "CONTEXTNAME", "BUNDLEID", "PROCESSID"].map(tables.text).joined(separator: ", ")
    let condition = range.condition
    let query = SQLStatement(
      sql: "SELECT Z_PK, ZTIMESTAMP, \(texts) FROM ATRANSACTION WHERE \(condition.sql) ORDER BY Z_PK",
      bindings: condition.bindings
    )
    var found: [NSPersistentHistoryTransaction] = []
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      found.append(
        NSPersistentHistoryTransaction(
          number: sqlite3_column_int64(row, 0),
          storeID: store.identifier,
          timestamp: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row, 1)),
          author: try text(row, column: 2),
          contextName: try text(row, column: 3),
          bundleID: try text(row, column: 4),
          processID: try text(row, column: 5)
        )
      )
    }
    return found
  }

  private func changes(
    _ range: HistoryRange,
    of transactions: [Int64: NSPersistentHistoryTransaction]
  ) throws -> [Int64: [NSPersistentHistoryChange]] {
    let condition = range.condition
    return try changes(
      SQLStatement(
        sql: "ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition.sql)) ORDER BY Z_PK",
        bindings: condition.bindings
      ),
      of: transactions
    )
  }

  /// - Parameter condition: the condition after WHERE.
  func changes(
    _ condition: SQLStatement,
    of transactions: [Int64: NSPersistentHistoryTransaction]
  ) throws -> [Int64: [NSPersistentHistoryChange]] {
    let tombstones = (0..<tables.tombstoneCount).map { ", ZTOMBSTONE\($0)" }.joined()
    let query = SQLStatement(
      sql: """
        SELECT Z_PK, ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(tombstones) FROM ACHANGE \
        WHERE \(condition.sql)
        """,
      bindings: condition.bindings
    )
    var found: [Int64: [NSPersistentHistoryChange]] = [:]
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      let number = sqlite3_column_int64(row, 1)
      guard let transaction = transactions[number], let change = try change(row, transaction: transaction)
      else { return }
      found[number, default: []].append(change)
    }
    return found
  }

  /// - Returns: `nil` for a change of an object whose entity the model no longer has.
  private func change(
    _ row: OpaquePointer,
    transaction: NSPersistentHistoryTransaction
  ) throws -> NSPersistentHistoryChange? {
    let entityNumber = sqlite3_column_int64(row, 3)
    guard let type = NSPersistentHistoryChangeType(rawValue: Int(sqlite3_column_int64(row, 2))),
      let entity = engine.schema.entity(storeNumber: entityNumber)
    else { return nil }
    let reference = ObjectReference(
      key: sqlite3_column_int64(row, 4),
      entity: entity.layout.number,
      store: store.index
    )
    return NSPersistentHistoryChange(
      number: sqlite3_column_int64(row, 0),
      type: type,
      objectID: NSManagedObjectID(
        reference: reference,
        layout: entity.layout,
        model: engine.schema.model,
        store: store
      ),
      entityNumber: entityNumber,
      tombstone: type == .delete ? try tombstone(row, entity: entity) : nil,
      updatedProperties: type == .update ? try updatedProperties(row, entity: entity) : nil,
      transaction: transaction
    )
  }

  private func updatedProperties(
    _ row: OpaquePointer,
    entity: SQLEntity
  ) throws -> Set<NSPropertyDescription>? {
    let cell = SQLiteCell(statement: row, column: 5)
    if cell.type == SQLITE_NULL { return nil }
    return tables.columns(of: entity).properties(Data(try cell.bytes()), of: entity.layout)
  }

  private func tombstone(_ row: OpaquePointer, entity: SQLEntity) throws -> [AnyHashable: Any] {
    var tombstone = HistoryTombstone(entity)
    let preserved = tables.columns(of: entity).preserved.prefix(tables.tombstoneCount)
    guard !preserved.isEmpty, let lookup = engine.plans.lookup(root: entity.layout.rootNumber),
      let shape = lookup.plan.shapes.first(where: { $0.entity === entity })
    else { return [:] }
    let source = SQLiteRow(statement: row)
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

  private func text(_ row: OpaquePointer, column: Int32) throws -> String? {
    let cell = SQLiteCell(statement: row, column: column)
    return cell.type == SQLITE_NULL ? nil : try cell.text()
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
