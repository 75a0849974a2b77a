import Foundation
import SQLiteDriver

/// The tables of a store's history, with the columns in its file: older frameworks created them with other columns.
struct SQLiteHistoryTables: Sendable {
  /// The numbers of the three tables in `Z_PRIMARYKEY` and in their rows.
  static let changeNumber: Int64 = 16001
  static let transactionNumber: Int64 = 16002
  static let stringNumber: Int64 = 16003

  /// The columns of `ATRANSACTION`.
  private let transactionColumns: Set<String>
  /// The number of columns that `ACHANGE` has for the values of deleted objects.
  let tombstoneCount: Int
  /// The places of each entity's properties in the bits of `ZCOLUMNS`, by the entity's number in the model.
  private let columns: [Int32: HistoryColumns]

  /// - Returns: `nil` when the file has no history.
  init?(_ catalog: SQLCatalog, schema: SQLSchema) {
    guard let changes = catalog.table("ACHANGE"), let transactions = catalog.table("ATRANSACTION") else { return nil }
    transactionColumns = Set(transactions.columns.map { $0.uppercased() })
    var count = 0
    while changes.column("ZTOMBSTONE\(count)") != nil { count += 1 }
    tombstoneCount = count
    var columns: [Int32: HistoryColumns] = [:]
    for entity in schema.entities { columns[entity.layout.number] = HistoryColumns(entity) }
    self.columns = columns
  }

  func columns(of entity: SQLEntity) -> HistoryColumns { columns[entity.layout.number] ?? HistoryColumns(entity) }

  // MARK: - Texts

  /// True when the table keeps a text as the number of a row in `ATRANSACTIONSTRING`.
  func isShared(_ name: String) -> Bool { transactionColumns.contains("Z\(name)TS") }

  func hasOwnColumn(_ name: String) -> Bool { transactionColumns.contains("Z\(name)") }

  /// The SQL of a text of a transaction, in either form of storage.
  func text(_ name: String) -> String {
    let shared = "(SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = ATRANSACTION.Z\(name)TS)"
    switch (isShared(name), hasOwnColumn(name)) {
    case (true, true): return "COALESCE(\(shared), Z\(name))"
    case (true, false): return shared
    case (false, true): return "Z\(name)"
    case (false, false): return "NULL"
    }
  }

  // MARK: - Making them

  /// True when the table of changes is there, with a column for each value that a deleted object can leave.
  static func areComplete(_ catalog: SQLCatalog, schema: SQLSchema) -> Bool {
    guard let changes = catalog.table("ACHANGE") else { return false }
    return (0..<tombstoneCount(schema)).allSatisfy { changes.column("ZTOMBSTONE\($0)") != nil }
  }

  /// The number of values that the entity with the most leaves when an object is deleted.
  private static func tombstoneCount(_ schema: SQLSchema) -> Int {
    schema.entities.map { HistoryColumns.preserved($0).count }.max() ?? 0
  }

  /// Creates the missing tables.
  ///
  /// - Parameter catalog: the tables of the file.
  static func create(in database: Database, catalog: SQLCatalog, schema: SQLSchema) throws {
    let wanted = tombstoneCount(schema)
    guard let changes = catalog.table("ACHANGE") else {
      for statement in creationStatements(tombstones: wanted) { try database.execute(sql: statement) }
      for (number, name) in names {
        try database.execute(
          sql: "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
          arguments: [number, name]
        )
      }
      return
    }
    for index in 0..<wanted where changes.column("ZTOMBSTONE\(index)") == nil {
      try database.execute(sql: "ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\(index) BLOB")
    }
  }

  private static let names = [
    (changeNumber, "CHANGE"), (transactionNumber, "TRANSACTION"), (stringNumber, "TRANSACTIONSTRING"),
  ]

  /// The statements are spelled as in Apple-made stores.
  static func creationStatements(tombstones: Int) -> [String] {
    let tombstones = (0..<tombstones).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    return [
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
        + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(tombstones) )",
      "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
        + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
        + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
      "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
      "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
      "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
      "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
      "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
      "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
      "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
      "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    ]
  }
}
