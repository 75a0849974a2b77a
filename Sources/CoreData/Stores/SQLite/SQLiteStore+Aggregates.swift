import CSystemSQLite
import Foundation
import SQLiteDriver

extension SQLiteStore {
  func aggregate(
    _ query: AggregateQuery,
    from source: some SQLReadSource<SQLiteQueryConnection>
  ) throws -> AggregateRows? {
    let engine = try engine()
    guard let statement = statement(query, engine: engine) else { return nil }
    return try reading("The fetch failed") {
      try source.readOnce { connection in
        do {
          return try rows(of: statement, query: query, engine: engine, database: connection.database)
        } catch is DifferentValue {
          return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
          // A sum of integers that overflows is an error here, and memory computes it.
          return nil
        }
      }
    }
  }

  /// Thrown at a value that the evaluation in memory has otherwise, or finds an error in.
  private struct DifferentValue: Error {}

  /// The statement; `nil` where the query cannot be written in SQL. The reason is not reported. If it concerns the
  /// objects themselves and not their aggregates, fetching them throws the same error.
  func statement(_ query: AggregateQuery, engine: Engine) -> SQLStatement? {
    try? SQLAggregateQuery(query, schema: engine.schema, store: index, dialect: engine.dialect).statement()
  }

  private func rows(
    of statement: SQLStatement,
    query: AggregateQuery,
    engine: Engine,
    database: Database
  ) throws -> AggregateRows {
    let held = try database.prepared(statement, isCounted: true)
    let reader = SQLiteAggregateReader(query, store: index)
    var rows = AggregateRows(columnCount: query.values.count)
    try SQLiteQuery(statement: held, bindings: statement.bindings, in: database).forEachRow { row in
      guard reader.read(row, into: &rows) else { throw DifferentValue() }
    }
    return rows
  }
}
