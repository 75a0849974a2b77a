#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLStore {
    func aggregate(_ query: AggregateQuery) throws -> AggregateRows? {
      try aggregate(query, from: engine().connections)
    }

    func aggregate(_ query: AggregateQuery, from source: some SQLReadSource) throws -> AggregateRows? {
      let engine = try engine()
      // Where the query has no SQL, the error that says why is not told: it goes on in memory.
      guard let plan = try? PostgreSQLAggregatePlan(query, engine.reader(index)) else { return nil }
      return try reading("The fetch failed") {
        do {
          return try source.readOnce { connection in try aggregate(query, plan, on: connection) }
        } catch let error as PostgreSQLError where error.isOutOfRange {
          return nil
        }
      }
    }

    private func aggregate(
      _ query: AggregateQuery,
      _ plan: PostgreSQLAggregatePlan,
      on connection: some SQLQueryConnection
    ) throws -> AggregateRows? {
      try plan.together(on: connection) {
        let statement = try plan.statement(on: connection)
        let contents = query.values.map(SQLAggregateContent.init)
        var rows = AggregateRows(columnCount: contents.count)
        do {
          try connection.forEachRow(of: statement, .heldIfFew) { row in
            for (column, content) in contents.enumerated() {
              guard let value = SQLAggregateValue.read(content, row.cell(Int32(column)), store: index)
              else {
                throw DifferentValue()
              }
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

  /// Reads values of groups of a database whose columns have types.
  enum SQLAggregateValue {
    /// - Parameter cell: `nil` for null.
    /// - Returns: `nil` for a value that is not what the query says.
    static func read(_ content: SQLAggregateContent, _ cell: (some SQLCell)?, store: Int32) -> StoredValue? {
      guard let cell else {
        if case .sum = content { return .real(.nan) }
        return .null
      }
      switch content {
      case .integer: return (try? cell.integer()).map(StoredValue.integer)
      case .truth: return (try? cell.integer()).flatMap { 0...1 ~= $0 ? .integer($0) : nil }
      case .real: return (try? cell.real()).map(StoredValue.real)
      case .number, .sum: return number(cell)
      case .exact, .decimal: return (try? cell.decimal()).map(StoredValue.decimal)
      case .text: return (try? cell.text()).map(StoredValue.text)
      case .uuid: return (try? cell.uuid()).map(StoredValue.uuid)
      case .uri: return (try? cell.url()).map { .object($0) }
      case .data: return (try? cell.bytes()).map { .data(Data($0)) }
      case .reference(let entity):
        guard let key = try? cell.integer(), key > 0 else { return nil }
        return .reference(ObjectReference(key: key, entity: entity, store: store))
      }
    }

    /// Floating point is itself; what is calculated of whole numbers is whole as long as it fits.
    private static func number(_ cell: some SQLCell) -> StoredValue? {
      if cell.exactInteger == nil, let real = cell.exactReal { return .real(real) }
      return (try? cell.integer()).map(StoredValue.integer)
    }
  }
#endif
