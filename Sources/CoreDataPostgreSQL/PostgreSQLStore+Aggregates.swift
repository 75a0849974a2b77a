#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLStore {
    func aggregate(
      _ query: AggregateQuery,
      from source: some SQLReadSource<PostgreSQLQueryConnection>
    ) throws -> AggregateRows? {
      let engine = try engine()
      // If the query cannot be written in SQL, the error is dropped and memory evaluates the query.
      guard let plan = try? PostgreSQLAggregatePlan(query: query, reader: engine.reader(index)) else { return nil }
      return try reading("The fetch failed") {
        do {
          return try source.readOnce { connection in try aggregate(query, plan: plan, on: connection) }
        } catch let error as PostgreSQLError where error.isOutOfRange {
          return nil
        }
      }
    }

    private func aggregate(
      _ query: AggregateQuery,
      plan: PostgreSQLAggregatePlan,
      on connection: some SQLQueryConnection
    ) throws -> AggregateRows? {
      try plan.together(on: connection) {
        let statement = try plan.statement(on: connection)
        let contents = query.values.map(SQLAggregateContent.init)
        var rows = AggregateRows(columnCount: contents.count)
        do {
          try connection.forEachRow(of: statement, preparation: .heldIfFew) { row in
            for (column, content) in contents.enumerated() {
              guard let value = PostgreSQLAggregateValue.read(content, row.cell(Int32(column)), store: index)
              else { throw DifferentValue() }
              rows.values.append(value)
            }
          }
        } catch is DifferentValue {
          return nil
        }
        return rows
      }
    }

    /// Thrown at a value that the evaluation in memory has otherwise, or finds an error in.
    private struct DifferentValue: Error {}
  }
#endif
