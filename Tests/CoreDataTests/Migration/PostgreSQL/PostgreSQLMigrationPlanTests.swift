#if PostgreSQL
  import CoreData
  import ModelFormats
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite("The SQL of a lightweight migration in PostgreSQL")
  struct PostgreSQLMigrationPlanTests {
    /// The statements between two versions on the tables of the entities.
    private func statements(_ old: String, _ new: String) throws -> [String] {
      let migration = LightweightMigration(
        from: try VersionedStore.model(old),
        to: try VersionedStore.model(new)
      )
      migration.source.freeze()
      migration.destination.freeze()
      let names = PostgreSQLNames()
      let fresh = try SQLSchemaBuilder.build(
        model: migration.source,
        entities: migration.source.entities,
        catalog: nil,
        names: names
      )
      var catalog = SQLCatalog()
      for table in fresh.tables {
        catalog.add(table: table.name, columns: ["z_pk", "z_ent", "z_opt"] + table.columns.map(\.name))
      }
      for join in fresh.joinTables {
        let orders = [join.first.order, join.second.order].compactMap(\.self)
        catalog.add(table: join.name, columns: join.key + orders)
      }
      for entity in fresh.entities { catalog.entityNumbers[entity.entity.name ?? ""] = entity.number }
      let numbers = Dictionary(
        migration.destination.entities.compactMap { entity in
          migration.correspondence.entities[entity.name ?? ""].flatMap { catalog.entityNumbers[$0] }
            .map { (entity.name ?? "", $0) }
        },
        uniquingKeysWith: { first, _ in first }
      )
      let map = SQLMigrationMap(
        old: try SQLSchemaBuilder.build(
          model: migration.source,
          entities: migration.source.entities,
          catalog: catalog,
          names: names
        ),
        new: try SQLSchemaBuilder.build(
          model: migration.destination,
          entities: migration.destination.entities,
          catalog: nil,
          names: names,
          numbering: SQLEntityNumbering(known: numbers, next: 10)
        ),
        correspondence: migration.correspondence
      )
      let plan = try SQLMigrationPlanner.plan(
        map,
        database: SQLMigrationSource(),
        catalog: catalog,
        dialect: PostgreSQLDialect()
      )
      let steps = plan.steps.compactMap { step in
        switch step {
        case .run(let statement), .require(let statement, _):
          statement.sql.contains("perennial_keys") ? nil : statement.sql
        }
      }
      return steps + plan.indexes.map { $0.creation(PostgreSQLDialect()) }
    }

    private static func note(_ properties: String, _ name: String = #""Note""#) -> String {
      """
      <entity name=\(name)><attribute name="name" attributeType="String" optional="YES"/>\(properties)</entity>
      """
    }

    @Test("a migration in PostgreSQL adds columns, and sets defaults in rows")
    func added() throws {
      let rating = #"<attribute name="rating" attributeType="Integer 16" defaultValueString="3"/>"#
      let isDone = #"<attribute name="isDone" attributeType="Boolean" defaultValueString="YES"/>"#
      #expect(
        try statements(Self.note(""), Self.note(rating + isDone)) == [
          "ALTER TABLE note ADD COLUMN is_done boolean",
          "ALTER TABLE note ADD COLUMN rating smallint",
          "UPDATE note SET is_done = ($1::bigint <> 0) WHERE is_done IS NULL AND z_ent = 1",
          "UPDATE note SET rating = $1::bigint::smallint WHERE rating IS NULL AND z_ent = 1",
        ]
      )
    }

    @Test("a migration in PostgreSQL drops, renames and converts columns in place, and renames tables")
    func altered() throws {
      let old = """
        <attribute name="first" attributeType="Double" optional="YES"/>
        <attribute name="second" attributeType="Integer 16" optional="YES"/>
        <attribute name="third" attributeType="String" optional="YES"/>
        """
      let new = """
        <attribute name="first" attributeType="Integer 32" optional="YES"/>
        <attribute name="third" attributeType="Integer 64" optional="YES" elementID="second"/>
        """
      #expect(
        try statements(Self.note(old), Self.note(new, #""Text" elementID="Note""#)) == [
          "ALTER TABLE note DROP COLUMN third",
          "ALTER TABLE note ALTER COLUMN first TYPE integer USING trunc(first)::integer",
          "ALTER TABLE note ALTER COLUMN second TYPE bigint USING trunc(second)::bigint",
          "ALTER TABLE note RENAME COLUMN second TO third", "ALTER TABLE note RENAME TO text",
        ]
      )
    }

    @Test("a migration in PostgreSQL swaps the names of two columns")
    func swapped() throws {
      func model(_ first: String, _ second: String) -> String {
        Self.note(
          """
          <attribute name="first" attributeType="String" optional="YES" \(first)/>
          <attribute name="second" attributeType="String" optional="YES" \(second)/>
          """
        )
      }
      #expect(
        try statements(model("", ""), model(#"elementID="second""#, #"elementID="first""#)) == [
          "ALTER TABLE note RENAME COLUMN second TO perennial_old_0",
          "ALTER TABLE note RENAME COLUMN first TO perennial_old_1",
          "ALTER TABLE note RENAME COLUMN perennial_old_0 TO first",
          "ALTER TABLE note RENAME COLUMN perennial_old_1 TO second",
        ]
      )
    }

    @Test("a migration in PostgreSQL moves keys before it drops their column")
    func joined() throws {
      func model(_ rest: String) -> String {
        """
        <entity name="Note"><relationship name="tag" optional="YES" \(rest) destinationEntity="Tag" \
        inverseName="notes" inverseEntity="Tag"/></entity><entity name="Tag"><relationship name="notes" \
        optional="YES" toMany="YES" destinationEntity="Note" inverseName="tag" inverseEntity="Note"/></entity>
        """
      }
      let found = try statements(model(#"maxCount="1""#), model(#"toMany="YES""#))
      #expect(
        found.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
          "CREATE TABLE", "INSERT INTO", "ALTER TABLE", "CREATE INDEX",
        ]
      )
      #expect(found[1].contains("SELECT z_pk AS s, tag AS t, NULL::bigint AS o, NULL::bigint AS i FROM note"))
      #expect(found[2] == "ALTER TABLE note DROP COLUMN tag")
    }

    @Test("a migration in PostgreSQL does not access rows of unchanged entities, whatever their order")
    func untouched() throws {
      #expect(
        try statements(Self.note(""), Self.note("") + #"<entity name="Album"/>"#) == [
          "CREATE TABLE album ( z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint )"
        ]
      )
    }
  }
#endif
