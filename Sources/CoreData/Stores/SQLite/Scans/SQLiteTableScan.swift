import CSystemSQLite
import Foundation
import SQLiteDriver

/// Fetches the first rows of an order that no index provides, for which SQLite scans a large table.
///
/// The table is scanned in slices of its keys, by two connections at once if another processor and another connection
/// are free. Each slice returns the keys of its own first rows, and SQLite sorts the rows with these keys again. As
/// soon as a slice has as many rows as are needed, the others leave out the rows that come after them.
struct SQLiteTableScan {
  private let query: FetchQuery
  private let span: KeySpan
  /// The number of rows that are looked for in each slice, those that the offset passes over among them.
  private let needed: Int
  private let reader: SQLReader
  private let engine: SQLiteStore.Engine
  private let readers: SQLiteReaders

  /// The scan of a table with fewer keys would end before a second connection has begun.
  static let fewestKeys: Int64 = 100_000
  private static let sliceCount: Int64 = 16
  /// With more rows, reading the keys alone would take long.
  private static let mostRows = 2_000

  /// - Returns: `nil` for a query that one statement answers as well.
  init?(query: FetchQuery, reader: SQLReader, engine: SQLiteStore.Engine) {
    guard let span = query.span, let readers = engine.connections.readers,
      query.predicate != nil || !query.sortDescriptors.isEmpty,
      query.keys == nil, query.after == nil, query.observer == nil,
      query.limit > 0, query.limit(with: 0) <= Self.mostRows,
      // The writing connection has the pages that the call has just written in its cache.
      StoreCall.current?.holds(engine.connections.writeLock) != true
    else { return nil }
    self.query = query
    self.span = span
    self.reader = reader
    self.engine = engine
    self.readers = readers
    needed = query.limit(with: 0)
  }

  /// The rows of the query; `nil` where SQLite does not need to scan a large table, or cannot answer alone.
  func rows() throws -> [FetchedRow]? {
    try readers.with { connection in
      guard let slices = try connection.use(slices) else { return nil }
      let scan = SQLiteScan(slices, needed: needed, isByKey: query.sortDescriptors.isEmpty)
      return try readers.withAnother(wanted: Self.hasProcessors) { other in
        let helper = try other.flatMap { try SQLiteScanHelper($0) }
        return try connection.read { database in
          // Begins the snapshot whose number the helper has read.
          try database.hearOfCommits()
          scan.endingWithCall {
            helper?.begin(scan)
            scan.run(on: database)
            helper?.finish()
          }
          return try database.endingWithCall { try rows(with: try scan.keys(), in: $0) }
        }
      }
    }
  }

  private static var hasProcessors: Bool { ProcessInfo.processInfo.activeProcessorCount > 1 }

  /// The rows with some keys, in the query's order and within its limit.
  private func rows(with keys: [Int64], in database: Database) throws -> [FetchedRow] {
    if keys.isEmpty { return [] }
    var found = query
    found.predicate = nil
    found.beyond = nil
    found.span = KeySpan(isAscending: span.isAscending)
    found.keys = keys
    let connection = SQLiteQueryConnection(database: database)
    let rows = try reader.fetch(found, from: SQLLeasedSource(connection: connection))
    try engine.guardian?.checkRead(database, engine: engine)
    return rows
  }

  // MARK: - Slices

  /// The slices, in the order of the keys; `nil` where SQLite does not need to scan a large table.
  private func slices(_ database: Database) throws -> [SQLiteSlice]? {
    let table = try reader.schema.entity(query.entity).table
    guard let spans = try spans(of: table, in: database) else { return nil }
    let found = try SQLUntranslatable.asNil {
      let fetch = try fetch(of: query)
      return (alias: fetch.scope.alias, statement: try fetch.rows(fetch.keyColumns))
    }
    guard let found, Self.isScan(try SQLiteStore.plan(of: found.statement, in: database), of: found.alias)
    else { return nil }
    return try spans.map { span in
      var part = query
      part.slice = span
      part.limit = needed
      part.offset = 0
      return try self.fetch(of: part).slice()
    }
  }

  private func fetch(of query: FetchQuery) throws -> SQLFetch {
    try SQLFetch(query, schema: reader.schema, store: reader.store, dialect: reader.dialect)
  }

  /// Ranges that together cover all possible keys, each with about the same number of existing keys; `nil`
  /// for a table with few keys.
  private func spans(of table: SQLTable, in database: Database) throws -> [ClosedRange<Int64>]? {
    guard var (first, last) = try Self.keys(of: table, in: database) else { return nil }
    if query.beyond == nil {
      first = max(first, span.lower ?? first)
      last = min(last, span.upper ?? last)
    }
    let (count, overflows) = last.subtractingReportingOverflow(first)
    guard !overflows, count >= Self.fewestKeys else { return nil }
    let bounds = (1..<Self.sliceCount).map { first + count / Self.sliceCount * $0 }
    // Other keys may come before the statements run.
    let spans = zip([Int64.min] + bounds, bounds.map { $0 - 1 } + [Int64.max]).map { $0...$1 }
    return span.isAscending ? spans : spans.reversed()
  }

  /// The first and the last key of a table; `nil` for an empty one.
  private static func keys(of table: SQLTable, in database: Database) throws -> (Int64, Int64)? {
    let dialect = SQLiteDialect()
    let (key, name) = (dialect.identifier(table.primaryKey), dialect.identifier(table.name))
    let statement = SQLStatement(sql: "SELECT (SELECT MIN(\(key)) FROM \(name)), (SELECT MAX(\(key)) FROM \(name))")
    var keys: (Int64, Int64)?
    try SQLiteQuery(statement, in: database, isCached: true).forEachRow { row in
      guard sqlite3_column_type(row, 0) == SQLITE_INTEGER else { return }
      keys = (sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1))
    }
    return keys
  }

  /// True for a plan that scans a table, or all of its rows from a key on.
  ///
  /// - Parameter alias: the alias of the table.
  static func isScan(_ plan: [String], of alias: String) -> Bool {
    plan.contains {
      $0 == "SCAN \(alias)" || $0.hasPrefix("SEARCH \(alias) USING INTEGER PRIMARY KEY (rowid>")
        || $0.hasPrefix("SEARCH \(alias) USING INTEGER PRIMARY KEY (rowid<")
    }
  }
}
