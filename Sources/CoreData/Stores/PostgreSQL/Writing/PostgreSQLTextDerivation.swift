#if PostgreSQL
  import PostgreSQLDriver

  /// If the server has no functions for texts, memory computes the values that are derived from
  /// them.
  extension SQLTextDerivation {
    /// Computes the values of some rows.
    func update(_ keys: some Collection<Int64>, _ connection: PostgreSQLConnection) throws {
      let sorted = keys.sorted()
      for start in stride(from: 0, to: sorted.count, by: PostgreSQLRowColumns.rowsPerStatement) {
        let part = sorted[start..<min(start + PostgreSQLRowColumns.rowsPerStatement, sorted.count)]
        let condition = "= ANY ($1::bigint[])"
        try update(try rows(condition, PostgreSQLArray(integers: part).value, connection), connection)
      }
    }

    /// Computes the values of all rows.
    func updateAll(_ connection: PostgreSQLConnection) throws {
      var last = Int64.min
      while true {
        let found = try rows("> $1::bigint", .integer(last), connection)
        guard found.rowCount > 0, let key = found.integer(found.rowCount - 1, 0) else { break }
        try update(found, connection)
        last = key
      }
    }

    private func rows(
      _ condition: String,
      _ value: PostgreSQLValue,
      _ connection: PostgreSQLConnection
    ) throws -> PostgreSQLResult {
      let key = name(table.primaryKey)
      return try connection.run(
        "SELECT \(key), \(name(source)) FROM \(name(table.name)) WHERE \(key) \(condition) "
          + "AND \(name(table.entityColumn)) IN (\(entities.map(String.init).joined(separator: ", "))) "
          + "ORDER BY \(key) LIMIT \(PostgreSQLRowColumns.rowsPerStatement)",
        [value],
        isCached: true
      )
    }

    private func update(_ rows: PostgreSQLResult, _ connection: PostgreSQLConnection) throws {
      var (keys, texts) = (PostgreSQLArray(type: "bigint"), PostgreSQLArray(type: "text"))
      for row in 0..<rows.rowCount {
        keys.append(.integer(rows.integer(row, 0) ?? 0))
        texts.append(rows.text(row, 1).map { .text(self.value(of: $0)) } ?? .null)
      }
      try connection.run(
        "UPDATE \(name(table.name)) AS t SET \(name(target)) = r.c "
          + "FROM unnest($1::bigint[], $2::text[]) AS r(k, c) WHERE t.\(name(table.primaryKey)) = r.k",
        [keys.value, texts.value],
        isCached: true
      )
    }

    private func name(_ name: String) -> String { PostgreSQLDialect().identifier(name) }
  }
#endif
