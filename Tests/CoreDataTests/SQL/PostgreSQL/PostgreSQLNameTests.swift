#if PostgreSQL
  import CoreData
  import Foundation
  import Testing

  @testable import CoreData

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
      (notes.name, notes.destinationEntity, notes.inverseRelationship, notes.maxCount) = ("notes", note, tags, 0)
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
        schema.tables.map(\.name) == ["note", "note_pkey1", "note_tags_note_tags_index", "note_tags_pkey", "tag"]
      )
      #expect(schema.joinTables.map(\.name) == ["note_tags1"])
      #expect(schema.indexes.map(\.name) == ["note_pkey2"])
    }

    @Test("no table has the name of one of the server's own, and others are an error before anything is made")
    func catalog() throws {
      let schema = Self.schema([Self.entity("PgUser"), Self.entity("CitusTables"), Self.entity("EntityPgUser")])
      #expect(schema.tables.map(\.name) == ["citus_tables", "entity_pg_user", "entity_pg_user1"])
      let store = try #require(URL(string: "postgresql:///d?schema=s"))
      try PostgreSQLCatalogNames(["pg_user", "pg_class"]).check(schema, store: store)
      let error = #expect(throws: NSError.self) {
        try PostgreSQLCatalogNames(["citus_tables"]).check(schema, store: store)
      }
      #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
      #expect(error?.localizedDescription.contains("entity CitusTables needs the table citus_tables") == true)
    }

    @Test("an older store's table with such a name is an error that has the statement which renames it")
    func olderStore() throws {
      let model = NSManagedObjectModel()
      model.entities = [Self.entity("PgUser")]
      model.freeze()
      var catalog = SQLCatalog()
      catalog.add(table: "pg_user", columns: ["z_pk"])
      let store = try #require(URL(string: "postgresql:///d?schema=s"))
      let error = #expect(throws: NSError.self) {
        try PostgreSQLCatalogNames.check(model.entities, in: catalog, schema: "s", store: store)
      }
      #expect(
        error?.localizedDescription.contains("ALTER TABLE \"s\".pg_user RENAME TO entity_pg_user") == true
      )
      catalog.add(table: "entity_pg_user", columns: ["z_pk"])
      try PostgreSQLCatalogNames.check(model.entities, in: catalog, schema: "s", store: store)
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

    @Test("a new entity gets its table where the index of its key would have the name of an older table")
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
  }
#endif
