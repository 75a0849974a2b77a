#if PostgreSQL
  import CoreData
  import PostgreSQLDriver

  /// If the server has no functions for texts, memory computes the values that are derived from them.
  extension SQLTextDerivation {
    /// Computes the values of some rows.
    func update(_ keys: some Collection<Int64>, connection: PostgreSQLConnection) throws {
      let sorted = keys.sorted()
      for start in stride(from: 0, to: sorted.count, by: PostgreSQLRowColumns.rowsPerStatement) {
        let part = sorted[start..<min(start + PostgreSQLRowColumns.rowsPerStatement, sorted.count)]
        let condition = "= ANY ($1::bigint[])"
        try update(
          try rows(condition, value: PostgreSQLArray(integers: part).value, connection: connection),
          connection: connection
        )
      }
    }

    /// Computes the values of all rows.
    func updateAll(_ connection: PostgreSQLConnection) throws {
      var last = Int64.min
      while true {
        let found = try rows("> $1::bigint", value: .integer(last), connection: connection)
        guard found.rowCount > 0, let key = found.integer(found.rowCount - 1, column: 0) else { break }
        try update(found, connection: connection)
        last = key
      }
    }

    private func rows(
      _ condition: String,
      value: PostgreSQLValue,
      connection: PostgreSQLConnection
    ) throws -> PostgreSQLResult {
      let key = name(table.primaryKey)
      return try connection.run(
        "SELECT \(key), \(name(source)) FROM \(name(table.name)) WHERE \(key) \(condition) "
          + "AND \(name(table.entityColumn)) IN (\(entities.map(String.init).joined(separator: ", "))) "
          + "ORDER BY \(key) LIMIT \(PostgreSQLRowColumns.rowsPerStatement)",
        values: [value],
        isCached: true
      )
    }

    private func update(_ rows: PostgreSQLResult, connection: PostgreSQLConnection) throws {
      var (keys, texts) = (PostgreSQLArray(type: "bigint"), PostgreSQLArray(type: "text"))
      for row in 0..<rows.rowCount {
        keys.append(.integer(rows.integer(row, column: 0) ?? 0))
        texts.append(rows.text(row, column: 1).map { .text(self.value(of: $0)) } ?? .null)
      }
      try connection.run(
        "UPDATE \(name(table.name)) AS t SET \(name(target)) = r.c "
          + "FROM unnest($1::bigint[], $2::text[]) AS r(k, c) WHERE t.\(name(table.primaryKey)) = r.k",
        values: [keys.value, texts.value],
        isCached: true
      )
    }

    private func name(_ name: String) -> String { PostgreSQLDialect().identifier(name) }
  }
#endif
