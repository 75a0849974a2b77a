#if PostgreSQL
  import CoreData
  import Foundation
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite("Names in PostgreSQL")
  struct PostgreSQLNameTests {
    private static func entity(_ name: String, _ attributes: [String] = []) -> NSEntityDescription {
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = attributes.map { name in
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
        return attribute
      }
      return entity
    }

    private static func schema(_ entities: [NSEntityDescription]) -> SQLSchema {
      let model = NSManagedObjectModel()
      model.entities = entities
      return PostgreSQLText.build(model)
    }

    @Test("a system column's name gets a number, and a name that only looks like one stays")
    func systemColumns() throws {
      let schema = Self.schema([Self.entity("Shape", ["xmin", "xmin1", "ctid", "oid", "xMax"])])
      #expect(schema.tables.first?.columns.map(\.name) == ["ctid1", "oid", "x_max", "xmin1", "xmin11"])
    }

    @Test("tables, join tables, indexes and the indexes of keys never have one name")
    func oneSpace() throws {
      let (note, tag) = (Self.entity("Note", ["a"]), Self.entity("Tag"))
      let (tags, notes) = (NSRelationshipDescription(), NSRelationshipDescription())
      (tags.name, tags.destinationEntity, tags.inverseRelationship, tags.maxCount) = ("tags", tag, notes, 0)
      (notes.name, notes.destinationEntity, notes.inverseRelationship, notes.maxCount) = (
        "notes", note, tags, 0
      )
      note.properties += [tags]
      tag.properties += [notes]
      note.indexes = try [
        NSFetchIndexDescription(
          name: "pkey",
          elements: [
            NSFetchIndexElementDescription(
              property: #require(note.propertiesByName["a"]),
              collationType: .binary
            )
          ]
        )
      ]
      let others = ["NotePkey", "NoteTagsPkey", "NoteTagsNoteTagsIndex"].map { Self.entity($0) }
      let schema = Self.schema([note, tag] + others)
      #expect(
        schema.tables.map(\.name) == [
          "note", "note_pkey1", "note_tags_note_tags_index", "note_tags_pkey", "tag",
        ]
      )
      #expect(schema.joinTables.map(\.name) == ["note_tags1"])
      #expect(schema.indexes.map(\.name) == ["note_pkey2"])
    }

    @Test("no table has the name of one of the server's own, and others are an error before anything is made")
    func catalog() throws {
      let schema = Self.schema([
        Self.entity("PgUser"), Self.entity("CitusTables"), Self.entity("EntityPgUser"),
      ])
      #expect(schema.tables.map(\.name) == ["citus_tables", "entity_pg_user", "entity_pg_user1"])
      let store = try #require(URL(string: "postgresql:///d?schema=s"))
      try PostgreSQLCatalogNames(["pg_user", "pg_class"]).check(schema, store: store)
      let error = #expect(throws: NSError.self) {
        try PostgreSQLCatalogNames(["citus_tables"]).check(schema, store: store)
      }
      #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
      #expect(error?.localizedDescription.contains("entity CitusTables needs the table citus_tables") == true)
    }

    /// The schema of a database in which each table has the columns of an entity without properties.
    private static func schema(_ names: [String], tables: [String]) throws -> SQLSchema {
      let model = NSManagedObjectModel()
      model.entities = names.map { entity($0) }
      model.freeze()
      var catalog = SQLCatalog()
      for table in tables { catalog.add(table: table, columns: ["z_pk", "z_ent", "z_opt"]) }
      return try SQLSchemaBuilder.build(
        model: model,
        entities: model.entities,
        catalog: catalog,
        names: PostgreSQLNames()
      )
    }

    @Test("an older store keeps the table that an earlier version of the library gave an entity")
    func olderStore() throws {
      let former = try Self.schema(["PgNote", "EntityPgNote"], tables: ["pg_note", "entity_pg_note"])
      #expect(former.tables.map(\.name) == ["entity_pg_note", "pg_note"])
      let store = try #require(URL(string: "postgresql:///d?schema=s"))
      try PostgreSQLCatalogNames(["pg_class"]).check(existing: former, named: "s", store: store)
      let present = try Self.schema(["PgNote"], tables: ["entity_pg_note"])
      #expect(present.tables.map(\.name) == ["entity_pg_note"])
    }

    @Test(
      "an older store's table that has the name of one of the server's own is an error with the statement to rename it"
    )
    func hiddenTable() throws {
      let schema = try Self.schema(["PgUser"], tables: ["pg_user"])
      let store = try #require(URL(string: "postgresql:///d?schema=s"))
      let error = #expect(throws: NSError.self) {
        try PostgreSQLCatalogNames(["pg_user"]).check(existing: schema, named: "s", store: store)
      }
      #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
      #expect(
        error?.localizedDescription.contains("ALTER TABLE \"s\".pg_user RENAME TO entity_pg_user") == true
      )
    }

    @Test("a table of a database is found by its name, whatever names the indexes of keys are given today")
    func tableLikeAnIndex() throws {
      for tables in [["note", "note_pkey"], ["note", "note_pkey1"]] {
        #expect(try Self.schema(["Note", "NotePkey"], tables: tables).tables.map(\.name) == tables)
      }
    }
  }

  @Suite(
    "Names in a migration in PostgreSQL",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL names no server")
  )
  struct PostgreSQLNameMigrationTests {
    private static func entity(_ name: String, _ more: String = "", attributes: [String] = []) -> String {
      let texts = (["name"] + attributes).map {
        #"<attribute name="\#($0)" attributeType="String" optional="YES"/>"#
      }
      return "<entity name=\"\(name)\" \(more)>\(texts.joined())</entity>"
    }

    @Test("a new entity gets its table even if an older table has the name of its key's index")
    func newTable() throws {
      let store = try VersionedStore(Self.entity("NotePkey"), on: .postgreSQL) { context in
        context.make("NotePkey", ["name": "a"])
      }
      let new = Self.entity("Note") + Self.entity("NotePkey", attributes: ["xmin"])
      let context = try store.migrate(new, .inPostgreSQL)
      context.make("Note", ["name": "b"])
      try context.save()
      #expect(try context.texts("NotePkey") == ["a"])
      #expect(try context.texts("Note") == ["b"])
      try store.close()
      try store.expectFreshSchema(new)
    }

    @Test("a new entity gets the name of the index of a table that is renamed")
    func renamedTable() throws {
      let store = try VersionedStore(Self.entity("Note"), on: .postgreSQL) { context in
        context.make("Note", ["name": "a"])
      }
      let new = Self.entity("Text", #"elementID="Note""#) + Self.entity("NotePkey")
      let context = try store.migrate(new, .inPostgreSQL)
      context.make("NotePkey", ["name": "b"])
      try context.save()
      #expect(try context.texts("Text") == ["a"])
      #expect(try context.texts("NotePkey") == ["b"])
      try store.close()
      try store.expectFreshSchema(new)
    }

    @Test(
      "a store with the tables of an earlier version of the library is read, and the migration renames them"
    )
    func formerTables() throws {
      func model(_ more: String) -> String {
        """
        <entity name="PgNote"><attribute name="name" attributeType="String" optional="YES"/>\(more)\
        <relationship name="tags" toMany="YES" optional="YES" destinationEntity="Tag" inverseName="notes" \
        inverseEntity="Tag"/></entity>\
        <entity name="Tag"><attribute name="name" attributeType="String" optional="YES"/>\
        <relationship name="notes" toMany="YES" optional="YES" destinationEntity="PgNote" inverseName="tags" \
        inverseEntity="PgNote"/></entity>
        """
      }
      let store = try VersionedStore(model(""), on: .postgreSQL) { context in
        let note = context.make("PgNote", ["name": "a"])
        note.setValue(NSSet(array: [context.make("Tag", ["name": "b"])]), forKey: "tags")
      }
      let present = try PostgreSQLTables(store.file).texts(
        """
        SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
        AND relname LIKE 'entity_pg_note%' AND relkind IN ('r', 'i')
        """
      )
      #expect(present.contains("entity_pg_note") && present.contains("entity_pg_note_tags"), "\(present)")
      for name in present {
        try store.execute("ALTER TABLE \(name) RENAME TO \(name.dropFirst("entity_".count))")
      }
      let older = try store.open(try VersionedStore.model(model("")))
      let note = try #require(try older.all("PgNote").first)
      #expect(note.text() == "a" && note.names("tags") == ["b"])
      older.make("PgNote", ["name": "c"])
      try older.save()
      try store.close()
      #expect(try PostgreSQLStoreCheck(store: store.file, model: nil).findings().isEmpty)
      let new = model(#"<attribute name="more" attributeType="String" optional="YES"/>"#)
      let newer = try store.migrate(new, .inPostgreSQL)
      #expect(try newer.texts("PgNote") == ["a", "c"])
      #expect(try newer.all("PgNote").first?.names("tags") == ["b"])
      try store.close()
      try store.expectFreshSchema(new)
    }

    @Test(
      "a store whose table has the name of a key's index today is read, and the migration renames the table"
    )
    func tableLikeAnIndex() throws {
      let old = Self.entity("Note") + Self.entity("NotePkey")
      let store = try VersionedStore(old, on: .postgreSQL) { context in
        context.make("NotePkey", ["name": "a"])
      }
      try store.execute("ALTER INDEX note_pkey RENAME TO note_key")
      try store.execute("ALTER TABLE note_pkey1 RENAME TO note_pkey")
      #expect(try store.open(try VersionedStore.model(old)).texts("NotePkey") == ["a"])
      try store.close()
      let new = Self.entity("Note") + Self.entity("NotePkey", attributes: ["more"])
      #expect(try store.migrate(new, .inPostgreSQL).texts("NotePkey") == ["a"])
      try store.close()
      try store.expectFreshSchema(new)
    }

    @Test("a migration leaves the tables of other programs in the schema as they are")
    func otherTables() throws {
      let store = try VersionedStore(Self.entity("Note"), on: .postgreSQL)
      try store.execute("CREATE TABLE report (id bigint CONSTRAINT own_name PRIMARY KEY)")
      let new = Self.entity("Note", attributes: ["more"])
      _ = try store.migrate(new, .inPostgreSQL)
      try store.close()
      let keys =
        "SELECT conname::text FROM pg_constraint WHERE conrelid = 'report'::regclass AND contype = 'p'"
      #expect(try PostgreSQLTables(store.file).texts(keys) == ["own_name"])
    }
  }
#endif
