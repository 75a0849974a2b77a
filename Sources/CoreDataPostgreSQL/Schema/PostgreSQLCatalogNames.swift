#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// The tables and views of `pg_catalog`. The server finds them before tables with the same name in a store's schema.
  ///
  /// New tables do not have names that begin with `pg_` (``PostgreSQLNames``). Extensions, and other engines with
  /// PostgreSQL's protocol, have catalog tables with other names.
  struct PostgreSQLCatalogNames {
    private let names: Set<String>

    init(_ names: Set<String>) { self.names = names }

    init(_ connection: PostgreSQLConnection) throws {
      let rows = try connection.run(
        """
        SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        WHERE n.nspname = 'pg_catalog' AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
        """
      )
      names = Set((0..<rows.rowCount).compactMap { rows.text($0, column: 0) })
    }

    /// Checks the names of the new tables before any of them is created.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names the entity whose table the server would not
    ///   find.
    func check(_ schema: SQLSchema, store: URL) throws {
      guard let taken = Self.tables(of: schema).first(where: { names.contains($0.name) }) else { return }
      throw StoreFailure.error(
        NSPersistentStoreIncompatibleSchemaError,
        message: """
          \(store.absoluteString): the entity \(taken.entity) needs the table \(taken.name), and the server has one of \
          that name in pg_catalog, which it finds first; nothing was made. Rename the entity, or the relationship that \
          the table is of.
          """,
        file: store,
        details: ["entity": taken.entity]
      )
    }

    /// Checks the tables of an existing store. Earlier versions of the library have created tables whose names begin
    /// with `pg_`, and could never write tables with names of the server's own.
    ///
    /// - Parameter name: the name of the schema in the database.
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` with the statement that renames the table.
    static func check(
      existing schema: SQLSchema,
      named name: String,
      store: URL,
      connection: PostgreSQLConnection
    ) throws {
      guard tables(of: schema).contains(where: { $0.name.hasPrefix(PostgreSQLNames.serverPrefix) }) else {
        return
      }
      try PostgreSQLCatalogNames(connection).check(existing: schema, named: name, store: store)
    }

    /// - Parameter name: the name of the schema in the database.
    func check(existing schema: SQLSchema, named name: String, store: URL) throws {
      let dialect = PostgreSQLDialect()
      let isHidden = { (table: (name: String, entity: String)) in
        table.name.hasPrefix(PostgreSQLNames.serverPrefix) && names.contains(table.name)
      }
      guard let hidden = Self.tables(of: schema).first(where: isHidden) else { return }
      let table = "\(PostgreSQLConnection.identifier(name)).\(dialect.identifier(hidden.name))"
      let newName = dialect.identifier(PostgreSQLNames.renamed(hidden.name))
      throw StoreFailure.error(
        NSPersistentStoreIncompatibleSchemaError,
        message: """
          \(store.absoluteString): the table \(hidden.name) of the entity \(hidden.entity) has the name of one in \
          pg_catalog, which the server finds first. Rename it: ALTER TABLE \(table) RENAME TO \(newName)
          """,
        file: store,
        details: ["entity": hidden.entity]
      )
    }

    /// The tables of a schema, with the entities that they are of.
    private static func tables(of schema: SQLSchema) -> [(name: String, entity: String)] {
      schema.tables.map { (name: $0.name, entity: $0.root.name ?? "") }
        + schema.joinTables.map { (name: $0.name, entity: $0.owner.root.name ?? "") }
    }
  }
#endif
