#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  /// The tables and views of `pg_catalog`, which the server finds before those of a store's schema that have the same
  /// name.
  ///
  /// Names that begin with `pg_` are never given (``PostgreSQLNames``). Extensions and engines behind the same protocol
  /// have others.
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
      names = Set((0..<rows.rowCount).compactMap { rows.text($0, 0) })
    }

    /// Checks the tables that are to be made, before any is.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names the entity whose table the server would not
    ///   find.
    func check(_ schema: SQLSchema, store: URL) throws {
      let tables = schema.tables.map { (name: $0.name, entity: $0.root.name ?? "") }
      let joins = schema.joinTables.map { (name: $0.name, entity: $0.owner.root.name ?? "") }
      guard let taken = (tables + joins).first(where: { names.contains($0.name) }) else { return }
      throw StoreFailure.error(
        NSPersistentStoreIncompatibleSchemaError,
        """
        \(store.absoluteString): the entity \(taken.entity) needs the table \(taken.name), and the server has one of \
        that name in pg_catalog, which it finds first; nothing was made. Rename the entity, or the relationship that \
        the table is of.
        """,
        file: store,
        details: ["entity": taken.entity]
      )
    }

    /// Checks a store of an older version of this library, which has made such tables and could never write them.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` with the statement that renames the table.
    static func check(_ entities: [NSEntityDescription], in catalog: SQLCatalog, schema: String, store: URL) throws {
      let dialect = PostgreSQLDialect()
      for entity in entities where entity.root === entity {
        let former = PostgreSQLNames.snake(entity.name ?? "")
        let name = PostgreSQLNames().table(entity.name ?? "")
        guard former.hasPrefix(PostgreSQLNames.serverPrefix), catalog.table(former) != nil, catalog.table(name) == nil
        else { continue }
        let table = "\(PostgreSQLConnection.identifier(schema)).\(dialect.identifier(former))"
        throw StoreFailure.error(
          NSPersistentStoreIncompatibleSchemaError,
          """
          \(store.absoluteString): the table \(former) of the entity \(entity.name ?? "") may have the name of one of \
          the server's own, which is found first. Rename it: ALTER TABLE \(table) RENAME TO \(dialect.identifier(name))
          """,
          file: store,
          details: ["entity": entity.name ?? ""]
        )
      }
    }
  }
#endif
