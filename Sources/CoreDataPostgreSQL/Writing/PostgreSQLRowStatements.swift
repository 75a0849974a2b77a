#if PostgreSQL
  import CoreData

  /// The statements by which a save writes many rows: the values of each column are one array.
  struct PostgreSQLRowStatements {
    let dialect = PostgreSQLDialect()

    /// Binds the keys, the number of the entity, and the columns; returns the keys and the entities of the
    /// inserted or updated rows. A row whose unique values another row has is left out, or updates that row.
    ///
    /// - Throws: an error when one statement cannot heed all of the constraints.
    func insertion(
      _ entity: SQLEntity,
      columns: PostgreSQLRowColumns,
      resolving resolution: SQLConflictResolution = .ignore,
      of constraints: [SQLConstraint] = []
    ) throws -> String {
      "\(plainInsertion(entity, columns: columns)) \(try conflict(entity, resolution: resolution, constraints: constraints)) "
        + "RETURNING \(list([entity.table.primaryKey, entity.table.entityColumn]))"
    }

    /// Binds the keys, the number of the entity, and the columns. A row whose key another one has is an error.
    func plainInsertion(_ entity: SQLEntity, columns: PostgreSQLRowColumns) -> String {
      let table = entity.table
      let names = [table.primaryKey, table.entityColumn, table.versionColumn] + columns.names
      let unnested =
        ["$1::bigint[]"] + columns.arrays.indices.map { "$\($0 + 3)::\(columns.arrays[$0].type)[]" }
      let own = columns.arrays.indices.map { "c\($0)" }
      let selected = ["k", "$2::bigint", "1"] + own
      return "INSERT INTO \(name(table.name)) (\(list(names))) SELECT \(selected.joined(separator: ", ")) "
        + "FROM unnest(\(unnested.joined(separator: ", "))) AS r(\((["k"] + own).joined(separator: ", ")))"
    }

    private func conflict(
      _ entity: SQLEntity,
      resolution: SQLConflictResolution,
      constraints: [SQLConstraint]
    ) throws -> String {
      guard case .assign(let slots) = resolution else { return "ON CONFLICT DO NOTHING" }
      let version = entity.table.versionColumn
      let former = dialect.conflictingColumn(version, of: entity.table.name)
      let assignments =
        ["\(name(version)) = COALESCE(\(former), 0) + 1"]
        + slots.flatMap { entity.slots[$0]?.columns ?? [] }.map { "\(name($0)) = excluded.\(name($0))" }
      return "ON CONFLICT\(try dialect.conflictTarget(constraints)) "
        + "DO UPDATE SET \(assignments.joined(separator: ", "))"
    }

    /// Binds the keys of rows whose columns are emptied.
    func emptying(_ entity: SQLEntity, columns: [String]) -> String {
      let assignments = columns.map { "\(name($0)) = NULL" }.joined(separator: ", ")
      return "UPDATE \(name(entity.table.name)) SET \(assignments) "
        + "WHERE \(name(entity.table.primaryKey)) = ANY($1::bigint[])"
    }

    /// Binds the keys, the old versions and the columns; returns the keys of the changed rows. A row that
    /// another connection has changed has another version, and is not updated.
    func update(_ entity: SQLEntity, columns: PostgreSQLRowColumns) -> String {
      let table = entity.table
      let unnested =
        ["$1::bigint[]", "$2::bigint[]"]
        + columns.arrays.indices.map { "$\($0 + 3)::\(columns.arrays[$0].type)[]" }
      let own = columns.arrays.indices.map { "c\($0)" }
      let assignments =
        ["\(name(table.versionColumn)) = r.v + 1"]
        + zip(columns.names, own).map { "\(name($0)) = r.\($1)" }
      return "UPDATE \(name(table.name)) AS t SET \(assignments.joined(separator: ", ")) "
        + "FROM unnest(\(unnested.joined(separator: ", "))) AS r(\((["k", "v"] + own).joined(separator: ", "))) "
        + "WHERE \(isSame(table)) RETURNING r.k"
    }

    /// Binds the keys and the versions; answers the keys of the rows that it has removed.
    func deletion(_ entity: SQLEntity) -> String {
      "DELETE FROM \(name(entity.table.name)) AS t USING unnest($1::bigint[], $2::bigint[]) AS r(k, v) "
        + "WHERE \(isSame(entity.table)) RETURNING r.k"
    }

    private func isSame(_ table: SQLTable) -> String {
      "t.\(name(table.primaryKey)) = r.k AND COALESCE(t.\(name(table.versionColumn)), 0) = r.v"
    }

    // MARK: - Relationships

    /// Binds the keys of both columns.
    func linkInsertion(_ table: SQLJoinTable) -> String {
      dialect.insertionOfMissing(
        into: table.name,
        columns: [table.first.name, table.second.name],
        rows: "SELECT * FROM unnest($1::bigint[], $2::bigint[])"
      )
    }

    /// Binds the keys of both columns.
    func linkDeletion(_ table: SQLJoinTable) -> String {
      "DELETE FROM \(name(table.name)) AS t USING unnest($1::bigint[], $2::bigint[]) AS r(a, b) "
        + "WHERE t.\(name(table.first.name)) = r.a AND t.\(name(table.second.name)) = r.b"
    }

    /// Binds keys: removes their rows from a relationship.
    func linksDeletion(_ table: String, column: String) -> String {
      "DELETE FROM \(name(table)) WHERE \(name(column)) = ANY ($1::bigint[])"
    }

    /// Binds the keys of rows, and as many values.
    func assignment(_ table: SQLTable, column: String) -> String {
      "UPDATE \(name(table.name)) AS t SET \(name(column)) = r.v "
        + "FROM unnest($1::bigint[], $2::bigint[]) AS r(k, v) WHERE t.\(name(table.primaryKey)) = r.k"
    }

    /// Binds the keys of rows, and one value that is replaced by null in them.
    func removal(_ table: SQLTable, column: String) -> String {
      "UPDATE \(name(table.name)) SET \(name(column)) = NULL "
        + "WHERE \(name(table.primaryKey)) = ANY ($1::bigint[]) AND \(name(column)) = $2::bigint"
    }

    /// Binds the values that are replaced by null in all rows.
    func removal(ofAll table: SQLTable, column: String) -> String {
      "UPDATE \(name(table.name)) SET \(name(column)) = NULL WHERE \(name(column)) = ANY ($1::bigint[])"
    }

    /// Binds the key of the source, the keys of the destinations, and their places.
    func linkOrder(_ join: SQLJoin, column: String) -> String {
      "UPDATE \(name(join.table.name)) AS t SET \(name(column)) = r.v "
        + "FROM unnest($2::bigint[], $3::bigint[]) AS r(k, v) "
        + "WHERE t.\(name(join.source)) = $1::bigint AND t.\(name(join.target)) = r.k"
    }

    private func name(_ name: String) -> String { dialect.identifier(name) }

    private func list(_ names: [String]) -> String { names.map(name).joined(separator: ", ") }
  }
#endif
