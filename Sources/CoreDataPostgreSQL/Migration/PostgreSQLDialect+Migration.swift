#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLDialect: SQLMigrationDialect {
    var asidePrefix: String { "\(PostgreSQLNames.systemPrefix)old_" }

    func asideName(of table: String) -> String { PostgreSQLNames.fitted(asidePrefix + table) }

    var altersColumns: Bool { true }

    // Others wait for the transaction of the steps, which is not to last as long as the indexes of large tables take.
    var buildsIndexesApart: Bool { true }

    var nullNumber: String { "NULL::bigint" }

    func placeholder(_ number: Int, of value: SQLValue, in column: SQLColumn) -> String {
      let placeholder = placeholder(number, of: value, as: nil)
      let type = elementType(column.storage, of: column.attributeType)
      return type == "boolean" ? "(\(placeholder) <> 0)" : "\(placeholder)::\(type)"
    }

    func keepsAlike(_ type: NSAttributeType, other: NSAttributeType) -> Bool {
      guard let storage = SQLStorage(type), let otherStorage = SQLStorage(other) else { return type == other }
      return elementType(storage, of: type) == elementType(otherStorage, of: other)
    }

    func converted(_ value: String, to storage: SQLStorage, of type: NSAttributeType) -> String {
      switch storage {
      // A cast alone would round.
      case .integer: "trunc(\(value))::\(elementType(storage, of: type))"
      // A cast of a floating-point number would keep 15 digits.
      case .decimal: "\(value)::text::numeric"
      default: "\(value)::\(elementType(storage, of: type))"
      }
    }

    // Columns contain all data unmarked.
    func markedData(_ value: String) -> String { value }

    func unmarkedData(_ value: String) -> String { value }

    var now: String { "(extract(epoch FROM now()) - \(Int(Date.timeIntervalBetween1970AndReferenceDate)))" }

    var nullReplacement: String { "COALESCE" }

    func textFunction(_ name: String) -> String {
      name == "canonical:" ? "perennial_fold_cd" : "perennial_\(name.dropLast())"
    }

    func triggerRemoval(_ trigger: SQLMigrationSource.Part) -> String {
      "DROP TRIGGER \(identifier(trigger.name)) ON \(identifier(trigger.table))"
    }

    func entityNumbering(of schema: SQLSchema, lastKeys: [Int64: Int64]) -> [SQLStatement] {
      [SQLStatement(sql: "DELETE FROM perennial_keys")]
        + schema.entities.map { entity in
          PostgreSQLSystemTables.keyRow(entity, in: schema, lastKey: lastKeys[entity.number] ?? 0)
        }
    }
  }

  extension SQLMigrationSource {
    /// Reads which indexes of the older schema exist, and the keys that were assigned. An index whose creation was
    /// interrupted is created again.
    ///
    /// A table is recreated if it has had so many columns that the server accepts no further ones.
    init(connection: PostgreSQLConnection, schema: String, map: SQLMigrationMap) throws {
      self.init()
      let dialect = PostgreSQLDialect(schema: schema)
      let present = try PostgreSQLIndexes.present(in: schema, connection: connection)
      let ofEntities = map.old.indexes.map { index in
        Part(name: index.name, table: index.table, sql: SQLSchema.creation(of: index, dialect: dialect))
      }
      let ofJoins = map.old.joinTables.map { join in
        Part(name: join.index, table: join.name, sql: SQLSchema.indexCreation(of: join, dialect: dialect))
      }
      indexes = (ofEntities + ofJoins).compactMap { index in
        present[index.name].map { $0 ? index : Part(name: index.name, table: index.table, sql: "") }
      }
      let keys = try connection.run("SELECT z_ent, last FROM perennial_keys")
      for row in 0..<keys.rowCount {
        if let number = keys.integer(row, column: 0) { lastKeys[number] = keys.integer(row, column: 1) ?? 0 }
      }
      let counts = try connection.run(
        """
        SELECT c.relname::text, max(a.attnum)::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        JOIN pg_attribute a ON a.attrelid = c.oid WHERE n.nspname = $1 AND c.relkind = 'r' GROUP BY c.relname
        """,
        values: [.text(schema)]
      )
      let largest = map.new.tables.map { $0.columns.count }.max() ?? 0
      for row in 0..<counts.rowCount {
        guard let table = counts.text(row, column: 0), let count = counts.integer(row, column: 1),
          count + Int64(largest) > Int64(PostgreSQLLimits.columns)
        else { continue }
        constrainedTables.insert(table.uppercased())
      }
    }
  }

  /// The limits of the server that models can reach.
  enum PostgreSQLLimits {
    /// The number of columns that a table can have, including dropped ones:
    /// <https://www.postgresql.org/docs/current/limits.html>.
    static let columns = 1600

    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names the entity, when a table would have
    ///   too many columns.
    static func check(_ schema: SQLSchema, store: URL) throws {
      for table in schema.tables where table.columns.count + 3 > columns {
        throw StoreFailure.error(
          NSPersistentStoreIncompatibleSchemaError,
          message: """
            \(store.absoluteString): the entity \(table.root.name ?? "") and those under it need \
            \(table.columns.count + 3) columns, and a table of PostgreSQL has \(columns) at most. Give some of the \
            attributes to an entity of their own, to which a relationship leads.
            """,
          file: store,
          details: ["entity": table.root.name ?? ""]
        )
      }
    }
  }
#endif
