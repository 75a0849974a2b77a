#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLStore: ExplainingStore {
    func explanation(of query: FetchQuery) throws -> FetchExplanation {
      let engine = try engine()
      return try reading("The fetch could not be explained") {
        let reader = engine.reader(index)
        let asked = try candidates(of: query, reader: reader)
        let fetch = try SQLFetch(
          asked ?? query,
          schema: engine.schema,
          store: index,
          dialect: engine.dialect
        )
        let plan = engine.plans.plan(
          try engine.schema.entity(query.entity),
          includesSubentities: query.includesSubentities
        )
        let statement = try fetch.rows(of: plan)
        return try engine.newest.readOnce { connection in
          try Self.explanation(of: statement, hasRest: asked != nil, on: connection)
        }
      }
    }

    func explanation(of query: AggregateQuery) throws -> FetchExplanation? {
      let engine = try engine()
      guard let plan = try? PostgreSQLAggregatePlan(query: query, reader: engine.reader(index)) else { return nil }
      return try reading("The fetch could not be explained") {
        try engine.newest.readOnce { connection in
          let statement = try plan.together(on: connection) { try plan.statement(on: connection) }
          return try Self.explanation(of: statement, hasRest: false, on: connection)
        }
      }
    }

    /// The query whose rows memory decides about; `nil` where the server answers all of it.
    private func candidates(of query: FetchQuery, reader: SQLReader) throws -> FetchQuery? {
      let answered = try SQLUntranslatable.asNil {
        try SQLFetch(query, schema: reader.schema, store: index, dialect: reader.dialect).rows([])
      }
      return try answered == nil ? reader.residue(query).candidates : nil
    }

    /// - Parameter hasRest: true where memory evaluates a part of the query.
    private static func explanation(
      of statement: SQLStatement,
      hasRest: Bool,
      on connection: PostgreSQLQueryConnection
    ) throws -> FetchExplanation {
      var steps = hasRest ? ["memory decides about these rows what the statement does not say"] : []
      let explained = SQLStatement(sql: "EXPLAIN \(statement.sql)", bindings: statement.bindings)
      try connection.forEachRow(of: explained, preparation: .once) { row in
        if let step = row.cell(0) { steps.append(try step.text()) }
      }
      return FetchExplanation(sql: statement.sql, bindings: statement.bindings.map(\.literal), plan: steps)
    }
  }
#endif
