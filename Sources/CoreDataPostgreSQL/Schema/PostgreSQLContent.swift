#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// The content of a store's schema during opening.
  struct PostgreSQLContent {
    /// Its tables and columns, and the numbers of its entities.
    private(set) var catalog = SQLCatalog()
    /// The metadata; `nil` when the schema does not contain a store.
    private(set) var metadata: StoreMetadata?
    /// The number that each migration counts up.
    private(set) var modelNumber: Int64 = 0
    /// The number of the last transaction that the history has ever had.
    private(set) var lastTransaction: Int64 = 0
    /// True when there is a history with transactions in it.
    private(set) var hasTransactions = false
    /// True when the schema has no tables, or does not exist.
    var isEmpty: Bool { catalog.tables.isEmpty }

    /// - Throws: an error of the server, or one of metadata that cannot be read.
    init(_ connection: PostgreSQLConnection, schema: String, store: URL) throws {
      try readTables(connection, schema: schema)
      if catalog.table(PostgreSQLSystemTables.metadata) != nil {
        let row = try connection.run("SELECT uuid, properties, model_number FROM perennial_metadata")
        if row.rowCount > 0, let uuid = row.text(0, column: 0), let list = row.data(0, column: 1) {
          let properties = try StoreMetadata.properties(list, in: "perennial_metadata", store: store)
          metadata = StoreMetadata(uuid: uuid, properties: properties)
          modelNumber = row.integer(0, column: 2) ?? 0
        }
      }
      if catalog.table("perennial_transaction") != nil {
        let clock = try connection.run("SELECT last_transaction FROM perennial_clock")
        lastTransaction = clock.rowCount > 0 ? clock.integer(0, column: 0) ?? 0 : 0
        hasTransactions = try connection.run("SELECT 1 FROM perennial_transaction LIMIT 1").rowCount > 0
      }
      if catalog.table(PostgreSQLSystemTables.keys) != nil {
        let rows = try connection.run("SELECT z_ent, name FROM perennial_keys ORDER BY z_ent DESC")
        for row in 0..<rows.rowCount {
          guard let name = rows.text(row, column: 1), let number = rows.integer(row, column: 0) else { continue }
          catalog.entityNumbers[name] = number
        }
      }
    }

    private mutating func readTables(_ connection: PostgreSQLConnection, schema: String) throws {
      let rows = try connection.run(
        """
        SELECT c.relname::text, a.attname::text FROM pg_class c \
        JOIN pg_namespace n ON n.oid = c.relnamespace \
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') ORDER BY c.relname, a.attnum
        """,
        values: [.text(schema)]
      )
      var columns: [String: [String]] = [:]
      for row in 0..<rows.rowCount {
        guard let table = rows.text(row, column: 0), let column = rows.text(row, column: 1) else { continue }
        columns[table, default: []].append(column)
      }
      for (table, columns) in columns { catalog.add(table: table, columns: columns) }
    }
  }
#endif
