#if PostgreSQL
  import CoreData
  import PostgreSQLDriver

  /// Compares the tables and indexes of a schema with those of the model.
  struct PostgreSQLSchemaCheck {
    let schema: SQLSchema
    /// The name of the schema in the database.
    let name: String
    let connection: PostgreSQLConnection
    private let dialect = PostgreSQLDialect()

    init(schema: SQLSchema, name: String, connection: PostgreSQLConnection) {
      self.schema = schema
      self.name = name
      self.connection = connection
    }

    /// The columns whose types differ from those that the store gives them.
    func columnFindings() throws -> [StoreFinding] {
      let types = try types()
      let keys = schema.tables.flatMap { table in
        [table.primaryKey, table.entityColumn, table.versionColumn].map { (table.name, $0, "bigint") }
      }
      let values = schema.tables.flatMap { table in
        table.columns.map { (table.name, $0.name, dialect.elementType($0.storage, of: $0.attributeType)) }
      }
      let joins = schema.joinTables.flatMap { join in
        (join.key + [join.first.order, join.second.order].compactMap(\.self)).map {
          (join.name, $0, "bigint")
        }
      }
      return (keys + values + joins).compactMap { table, column, type in
        guard let found = types[table]?[column], found != type else { return nil }
        return StoreFinding(
          kind: .schema,
          problem: "\(table).\(column) is of the type \(found), and its values are of the type \(type)",
          remedy: "give it its type again: ALTER TABLE \(qualified(table)) ALTER "
            + "\(dialect.identifier(column)) TYPE \(type)"
        )
      }
    }

    /// The schema-qualified name, for a person whose session has another search path.
    private func qualified(_ name: String) -> String { "\(dialect.identifier(self.name)).\(dialect.identifier(name))" }

    /// The names of the types, by table and column.
    private func types() throws -> [String: [String: String]] {
      let rows = try connection.run(
        """
        SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL) FROM pg_class c \
        JOIN pg_namespace n ON n.oid = c.relnamespace \
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
        """,
        values: [.text(name)]
      )
      var types: [String: [String: String]] = [:]
      for row in 0..<rows.rowCount {
        guard let table = rows.text(row, column: 0), let column = rows.text(row, column: 1) else { continue }
        types[table, default: [:]][column] = rows.text(row, column: 2)
      }
      return types
    }

    /// The missing or incomplete indexes: those of constraints enforce uniqueness, the others make queries fast.
    func indexFindings() throws -> [StoreFinding] {
      let dialect = PostgreSQLDialect(
        hasFunctions: try PostgreSQLFunctions.exist(in: name, connection: connection),
        schema: name
      )
      let present = try PostgreSQLIndexes.present(in: name, connection: connection)
      let indexes = schema.indexes.filter { dialect.canBuild($0) }.map { index in
        SQLMigrationPlan.Index(
          name: index.name,
          table: index.table,
          elements: SQLSchema.elements(of: index, dialect: dialect),
          isUnique: index.isUnique
        )
      }
      let joins = schema.joinTables.map { join in
        SQLMigrationPlan.Index(
          name: join.index,
          table: join.name,
          elements: SQLSchema.indexElements(of: join, dialect: dialect)
        )
      }
      return (indexes + joins).compactMap { index in
        let isValid = present[index.name]
        return isValid == true ? nil : finding(of: index, isBroken: isValid == false, dialect: dialect)
      }
    }

    private func finding(of index: SQLMigrationPlan.Index, isBroken: Bool, dialect: PostgreSQLDialect) -> StoreFinding {
      let removal = "DROP INDEX \(qualified(index.name))"
      let creation = index.creation(dialect)
      let unique =
        "CREATE UNIQUE INDEX \(dialect.identifier(index.name)) ON \(qualified(index.table)) (\(index.elements))"
      let concurrent = PostgreSQLIndexBuilding.concurrentCreation(of: index, in: name, dialect: dialect)
      let words = "\(index.name)\(index.isUnique ? ", which keeps values unique" : "")"
      return StoreFinding(
        kind: .schema,
        problem: isBroken
          ? "the building of an index of \(index.table) was broken off, so that no query uses it: \(words)"
          : "\(index.table) lacks the index \(words)",
        remedy: (isBroken ? "remove it, \(removal), and " : "")
          + (index.isUnique
            ? "make it, when no values are twice: \(unique)"
            : "make it; \(concurrent) does while others read and write"),
        repair: index.isUnique ? nil : .statements((isBroken ? [removal] : []) + [creation])
      )
    }
  }
#endif
