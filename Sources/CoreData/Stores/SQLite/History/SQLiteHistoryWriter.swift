import Foundation
import SQLiteDriver

/// Writes one transaction of a store's history, in the transaction of the database that makes the changes.
///
/// A transaction without changes writes nothing.
final class SQLiteHistoryWriter {
  private let tables: SQLiteHistoryTables
  private let engine: SQLiteStore.Engine
  private let database: Database
  private let origin: ChangeOrigin
  /// The number of the transaction, once it has changes.
  private(set) var number: Int64?
  private var lastChange: Int64 = 0
  private var changes: SQLiteChangeRows?

  /// - Returns: `nil` when the store was not opened to keep a history.
  init?(engine: SQLiteStore.Engine, database: Database, origin: ChangeOrigin) {
    guard engine.tracksHistory, let tables = engine.history else { return nil }
    self.tables = tables
    self.engine = engine
    self.database = database
    self.origin = origin
  }

  // MARK: - Changes

  func insertion(of key: Int64, entity: SQLEntity) throws { try write(.insert, key: key, entity: entity, columns: nil) }

  func update(of key: Int64, entity: SQLEntity, slots: [Int], toMany: [Int] = []) throws {
    try update(of: key, entity: entity, columns: columns(entity, slots: slots, toMany: toMany))
  }

  /// The bits of changed properties, for many objects of which the same was changed.
  func columns(_ entity: SQLEntity, slots: [Int], toMany: [Int] = []) -> Data {
    tables.columns(of: entity).bits(slots: slots, toMany: toMany)
  }

  func update(of key: Int64, entity: SQLEntity, columns: Data) throws {
    try write(.update, key: key, entity: entity, columns: columns)
  }

  /// Called while the row is still there: its history keeps some of its values.
  func deletion(of key: Int64, entity: SQLEntity) throws {
    let preserved = tables.columns(of: entity).preserved.prefix(tables.tombstoneCount)
    if preserved.isEmpty { return try write(.delete, key: key, entity: entity, columns: nil) }
    let names = preserved.indices.map { ", ZTOMBSTONE\($0)" }.joined()
    let values = preserved.map { ", \(preservedValue($0, entity: entity))" }.joined()
    let (transaction, change) = try next()
    try run(
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID\(names)) \
      SELECT ?, ?, ?, ?, Z_PK, ?\(values) FROM \(engine.dialect.identifier(entity.table.name)) WHERE Z_PK = ?
      """,
      bindings: [
        .integer(change), .integer(SQLiteHistoryTables.changeNumber), .integer(2), .integer(entity.number),
        .integer(transaction), .integer(key),
      ]
    )
  }

  /// Called when all changes have been written.
  ///
  /// - Returns: the number of the transaction; `nil` when nothing changed.
  @discardableResult
  func finish() throws -> Int64? {
    guard let number else { return nil }
    try changes?.write()
    try setLast(number, number: SQLiteHistoryTables.transactionNumber)
    try setLast(lastChange, number: SQLiteHistoryTables.changeNumber)
    return number
  }

  /// A value in a file of its own is not preserved, because the file is removed with the object.
  private func preservedValue(_ value: HistoryColumns.PreservedValue, entity: SQLEntity) -> String {
    let column = engine.dialect.identifier(value.column)
    guard SQLRowPlan.content(entity.layout.slots[value.slot]) == .externalData else { return column }
    return "CASE WHEN substr(\(column), 1, 1) = x'02' THEN NULL ELSE \(column) END"
  }

  private func write(
    _ type: NSPersistentHistoryChangeType,
    key: Int64,
    entity: SQLEntity,
    columns: Data?
  ) throws {
    let (transaction, change) = try next()
    if changes == nil { changes = SQLiteChangeRows(of: transaction, in: database) }
    try changes?.add(change, of: key, kind: .init(type: type, entity: entity.number, columns: columns))
  }

  // MARK: - The transaction

  /// The numbers of the transaction and of its next change.
  private func next() throws -> (transaction: Int64, change: Int64) {
    let transaction = try number ?? begin()
    lastChange = try number(after: lastChange, table: "ACHANGE")
    return (transaction, lastChange)
  }

  private func begin() throws -> Int64 {
    let new = try number(
      after: last(SQLiteHistoryTables.transactionNumber, table: "ATRANSACTION"),
      table: "ATRANSACTION"
    )
    lastChange = try last(SQLiteHistoryTables.changeNumber, table: "ACHANGE")
    var columns = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
    var values: [SQLValue] = [
      .integer(new), .integer(SQLiteHistoryTables.transactionNumber),
      .real(Date().timeIntervalSinceReferenceDate),
    ]
    let process = ProcessInfo.processInfo.processName
    let texts = [
      ("AUTHOR", origin.author), ("BUNDLEID", Bundle.main.bundleIdentifier ?? process),
      ("CONTEXTNAME", origin.contextName), ("PROCESSID", process),
    ]
    for case (let name, let text?) in texts {
      if tables.isShared(name) {
        columns.append("Z\(name)TS")
        values.append(.integer(try shared(text)))
      } else if tables.hasOwnColumn(name) {
        columns.append("Z\(name)")
        values.append(.text(text))
      }
    }
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    try run("INSERT INTO ATRANSACTION (\(columns.joined(separator: ", "))) VALUES (\(places))", bindings: values)
    number = new
    return new
  }

  /// The number of a text in the table that transactions share.
  private func shared(_ text: String) throws -> Int64 {
    let known = SQLStatement(sql: "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", bindings: [.text(text)])
    if let known = try SQLiteQuery(known, in: database, isCached: true).integer() { return known }
    let new = try number(
      after: last(SQLiteHistoryTables.stringNumber, table: "ATRANSACTIONSTRING"),
      table: "ATRANSACTIONSTRING"
    )
    try run(
      "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)",
      bindings: [.integer(new), .integer(SQLiteHistoryTables.stringNumber), .text(text)]
    )
    try setLast(new, number: SQLiteHistoryTables.stringNumber)
    return new
  }

  private func last(_ number: Int64, table: String) throws -> Int64 {
    try SQLiteHistoryTables.last(number, table: table, in: database)
  }

  private func number(after last: Int64, table: String) throws -> Int64 {
    if last == .max { throw SQLitePrimaryKeys.exhausted(table, file: engine.file) }
    return last + 1
  }

  private func setLast(_ last: Int64, number: Int64) throws {
    try run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", bindings: [.integer(last), .integer(number)])
  }

  private func run(_ sql: String, bindings: [SQLValue]) throws {
    try SQLiteQuery(SQLStatement(sql: sql, bindings: bindings), in: database, isCached: true).run()
  }
}

extension SQLiteHistoryTables {
  /// The last key of one of the tables, deleted rows included.
  static func last(_ number: Int64, table: String, in database: Database) throws -> Int64 {
    let query = SQLStatement(
      sql: """
        SELECT MAX(IFNULL((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0), \
        IFNULL((SELECT MAX(Z_PK) FROM \(table)), 0))
        """,
      bindings: [.integer(number)]
    )
    return try SQLiteQuery(query, in: database, isCached: true).integer() ?? 0
  }
}
