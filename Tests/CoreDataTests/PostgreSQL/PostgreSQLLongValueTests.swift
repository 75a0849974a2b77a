#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "Values that are too long for an index in PostgreSQL",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL names no server")
  )
  struct PostgreSQLLongValueTests {
    private static let text = #"<attribute name="text" attributeType="String" optional="YES"/>"#
    private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#

    private static func index(_ name: String, _ properties: String...) -> String {
      let elements = properties.map {
        #"<fetchIndexElement property="\#($0)" type="Binary" order="ascending"/>"#
      }
      return "<fetchIndex name=\"\(name)\">\(elements.joined())</fetchIndex>"
    }

    private static let plain = "<entity name=\"Note\">\(text)\(name)</entity>"
    private static let indexed =
      "<entity name=\"Note\">\(text)\(name)\(index("byText", "text"))\(index("byBoth", "name", "text"))</entity>"
    private static let unique = """
      <entity name="Note">\(text)\(name)<uniquenessConstraints><uniquenessConstraint><constraint value="text"/>\
      </uniquenessConstraint></uniquenessConstraints></entity>
      """

    private func definitions(_ store: VersionedStore) throws -> [String] {
      try PostgreSQLTables(store.file).texts(
        """
        SELECT regexp_replace(indexdef, '^.* USING ', '') FROM pg_indexes \
        WHERE schemaname = current_schema() AND indexname LIKE 'note_by_%' ORDER BY indexname
        """
      )
    }

    private static let replacedIndexes = [
      "btree (\"left\"(name, 250) NULLS FIRST, \"left\"(text, 250) NULLS FIRST)", "hash (text)",
    ]

    @Test("a save keeps the index for short values, and makes a hash index for long ones")
    func replaced() throws {
      let store = try VersionedStore(Self.indexed, on: .postgreSQL) { context in
        // The server compresses this text to much less.
        context.make("Note", ["name": "a", "text": String(repeating: "a", count: 9_000)])
      }
      #expect(
        try definitions(store) == ["btree (name NULLS FIRST, text NULLS FIRST)", "btree (text NULLS FIRST)"]
      )
      let context = try store.open(VersionedStore.model(Self.indexed))
      context.make("Note", ["name": "b", "text": LongText.text(1)])
      try context.save()
      #expect(try definitions(store) == Self.replacedIndexes)
      let plan = try PostgreSQLTables(store.file)
      try plan.run("SET enable_seqscan = off")
      let lines = try plan.texts("EXPLAIN SELECT * FROM note WHERE text = 'a'").joined()
      #expect(lines.contains("note_by_text"))
      context.make("Note", ["name": "c", "text": LongText.text(2)])
      try context.save()
      #expect(try context.texts("Note") == ["a", "b", "c"])
    }

    @Test(
      "a save that would replace an index of a table that others read ends with an error, and succeeds afterwards"
    )
    func readers() throws {
      let store = try VersionedStore(Self.indexed, on: .postgreSQL)
      let context = try store.open(VersionedStore.model(Self.indexed))
      context.make("Note", ["name": "a", "text": LongText.text(1)])
      let other = try PostgreSQLTables(store.file)
      try other.run("BEGIN")
      try other.run("SELECT 1 FROM note")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSPersistentStoreTimeoutError)
      #expect(error?.localizedDescription.contains("Nothing was saved: save again") == true)
      try other.run("ROLLBACK")
      try context.save()
      #expect(try context.texts("Note") == ["a"])
      let indexes = try definitions(store)
      #expect(indexes == Self.replacedIndexes)
    }

    @Test("the time for which a transaction waits for locks is the same after it has replaced an index")
    func lockTimeout() throws {
      let store = try VersionedStore(Self.indexed, on: .postgreSQL)
      let context = try store.open(VersionedStore.model(Self.indexed))
      let stores = context.persistentStoreCoordinator?.persistentStores
      let engine = try #require(stores?.first as? PostgreSQLStore).engine()
      let times = try engine.connections.write { connection in
        func time() throws -> String? {
          try connection.run("SELECT current_setting('lock_timeout')").text(0, column: 0)
        }
        let before = try time()
        try PostgreSQLLongValues(engine: engine, connection: connection).writing(["text"], of: "note") {
          _ = try connection.run(
            "INSERT INTO note (z_pk, z_ent, z_opt, text) VALUES (1, 1, 1, $1)",
            values: [.text(LongText.text(1))]
          )
        }
        return [before, try time()]
      }
      #expect(times[0] == times[1] && times[0] != nil)
      #expect(try definitions(store) == Self.replacedIndexes)
    }

    @Test("a batch update sets a savepoint only if a value may be too long for an index")
    func batchUpdate() throws {
      let store = try VersionedStore(Self.indexed, on: .postgreSQL) { context in
        context.make("Note", ["name": "a", "text": "b"])
      }
      let schema = try PostgreSQLAddress(store.file.absoluteString).schema
      let recorder = StatementRecorder(store.file)
      let context = try store.open(VersionedStore.model(Self.indexed))
      func savepoints(_ value: Any) throws -> Int {
        let before = recorder.statements.count
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.propertiesToUpdate = ["text": value]
        _ = try context.execute(update)
        let statements = recorder.statements.dropFirst(before).filter { $0.store.contains(schema) }
        #expect(statements.contains { $0.sql.hasPrefix("UPDATE ") })
        return statements.filter { $0.sql == "SAVEPOINT long_values" }.count
      }
      #expect(try savepoints("short") == 0)
      #expect(try savepoints(NSExpression(forKeyPath: "name")) == 1)
      #expect(try savepoints(LongText.text(1)) > 1)
      #expect(try context.texts("Note", "text") == [LongText.text(1)])
    }

    @Test(
      "a migration makes an index over existing long values, and names the property of a constraint"
    )
    func migrated() throws {
      let store = try VersionedStore(Self.plain, on: .postgreSQL) { context in
        context.make("Note", ["name": "a", "text": LongText.text(1)])
      }
      let refused = #expect(throws: NSError.self) { _ = try store.migrate(Self.unique, .inPostgreSQL) }
      #expect(refused?.localizedDescription.contains("Note.text has a value that is too long") == true)
      // A change of indexes alone does not make a new version.
      let more = #"<attribute name="more" attributeType="String" optional="YES"/></entity>"#
      let target = Self.indexed.replacingOccurrences(of: "</entity>", with: more)
      let context = try store.migrate(target, .inPostgreSQL)
      #expect(try context.texts("Note") == ["a"])
      let indexes = try definitions(store)
      #expect(indexes == Self.replacedIndexes)
    }

    @Test(
      "a value that is too long for a uniqueness constraint is refused with the property's name, and nothing is saved",
      arguments: [3_000, 9_000]
    )
    func unique(_ length: Int) throws {
      let store = try VersionedStore(Self.unique, on: .postgreSQL)
      let context = try store.open(VersionedStore.model(Self.unique))
      context.make("Note", ["name": "a", "text": "short"])
      let long = context.make("Note", ["name": "b", "text": LongText.text(1, count: length)])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectValidationError)
      #expect(error?.localizedDescription.contains("Note.text has a value that is too long") == true)
      #expect(try store.texts("SELECT name FROM ", "Note") == [])
      long.setValue("other", forKey: "text")
      try context.save()
      #expect(try store.texts("SELECT name FROM ", "Note", " ORDER BY name") == ["a", "b"])
    }
  }
#endif
