import CSystemSQLite
import Foundation
import SQLiteDriver

extension SQLiteStore: ExplainingStore {
  /// The explanation of a query. If SQLite cannot evaluate it alone, the explanation is that of the query for
  /// candidates.
  func explanation(of query: FetchQuery) throws -> FetchExplanation {
    let engine = try engine()
    return try reading("The fetch could not be explained") {
      let plan = engine.plans.plan(
        try engine.schema.entity(query.entity),
        includesSubentities: query.includesSubentities
      )
      func statement(_ query: FetchQuery) throws -> SQLStatement {
        try SQLFetch(query, schema: engine.schema, store: index, dialect: engine.dialect).rows(of: plan)
      }
      let answered = try SQLUntranslatable.asNil { try statement(query) }
      return try Self.explanation(
        of: answered ?? statement(engine.reader(index).residue(query).candidates),
        engine: engine
      )
    }
  }

  /// The explanation of a query of values; `nil` if it cannot be written in SQL, and objects are fetched.
  func explanation(of query: AggregateQuery) throws -> FetchExplanation? {
    let engine = try engine()
    guard let statement = statement(query, engine: engine) else { return nil }
    return try reading("The fetch could not be explained") { try Self.explanation(of: statement, engine: engine) }
  }

  private static func explanation(of statement: SQLStatement, engine: Engine) throws -> FetchExplanation {
    let steps = try engine.connections.readOnce { try plan(of: statement, in: $0) }
    return FetchExplanation(sql: statement.sql, bindings: statement.bindings.map(\.literal), plan: steps)
  }

  /// SQLite's plan of a statement, a line for each step.
  static func plan(of statement: SQLStatement, in database: Database) throws -> [String] {
    var explained = statement
    explained.sql = "EXPLAIN QUERY PLAN " + statement.sql
    var steps = QueryPlanSteps()
    try SQLiteQuery(explained, in: database, isCached: false).forEachRow { steps.append($0) }
    return steps.lines
  }
}

/// The steps of a query plan, read from the rows of `EXPLAIN QUERY PLAN`.
struct QueryPlanSteps {
  private var depths: [Int64: Int] = [:]
  /// A line for each step, indented below the step that it belongs to.
  private(set) var lines: [String] = []

  mutating func append(_ row: OpaquePointer) {
    let depth = depths[sqlite3_column_int64(row, 1)].map { $0 + 1 } ?? 0
    depths[sqlite3_column_int64(row, 0)] = depth
    let text = sqlite3_column_text(row, 3).map { String(cString: $0) } ?? ""
    lines.append(String(repeating: "  ", count: depth) + text)
  }
}
