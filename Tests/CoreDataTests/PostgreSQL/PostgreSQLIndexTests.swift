#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// Versions of a model whose text attribute may request an index over its folded form.
  private enum IndexedNote {
    static let index = "indexed_note_title_folded_cd"
    static let rank = #"<attribute name="rank" attributeType="Integer 16" defaultValueString="5"/>"#

    /// - Parameters:
    ///   - folded: the setting in the user info of the title; `nil` for none.
    ///   - more: further attributes.
    static func entities(_ folded: String?, _ more: String = "", type: String = "String") -> String {
      let info =
        folded.map { #"<userInfo><entry key="postgresql.foldedIndex" value="\#($0)"/></userInfo>"# } ?? ""
      return """
        <entity name="IndexedNote"><attribute name="title" attributeType="\(type)" optional="YES">\(info)</attribute>\
        \(more)</entity>
        """
    }
  }

  @Suite("Indexes over folded texts")
  struct FoldedIndexTests {
    @Test("a store in PostgreSQL has the index that the user info asks for", arguments: ["c", "d", "cd"])
    func statement(_ letters: String) throws {
      let schema = PostgreSQLText.build(try VersionedStore.model(IndexedNote.entities(letters)))
      let index =
        "CREATE INDEX indexed_note_title_folded_\(letters) ON indexed_note (perennial_fold_\(letters)(title))"
      let statements = try schema.creationStatements(PostgreSQLDialect())
      #expect(statements.contains(index), "\(statements)")
      let without = try schema.creationStatements(PostgreSQLDialect(hasFunctions: false))
      #expect(without == statements.filter { $0 != index })
    }

    @Test("a store in SQLite has no index that Apple's framework could not write")
    func file() throws {
      let model = try VersionedStore.model(IndexedNote.entities("cd"))
      model.freeze()
      let schema = try SQLSchemaBuilder.build(model: model, entities: model.entities)
      #expect(try schema.creationStatements(SQLiteDialect()).allSatisfy { $0.hasPrefix("CREATE TABLE") })
    }

    @Test(
      "an unknown index in the user info is an error that names the attribute",
      arguments: [("x", "String"), ("cd", "Integer 16"), ("", "String")]
    )
    func unknown(_ letters: String, _ type: String) throws {
      let model = try VersionedStore.model(IndexedNote.entities(letters, type: type))
      let url = try #require(URL(string: "postgresql://db.example.com/shop"))
      let error = try #require(throws: (any Error).self) {
        try SQLFoldedIndex.check(model.entities, store: url)
      }
      #expect(
        (error as NSError).localizedDescription.contains(
          "the user info of IndexedNote.title has postgresql.foldedIndex = \(letters)"
        )
      )
      #expect((error as NSError).code == NSPersistentStoreIncompatibleSchemaError)
    }
  }

  @Suite(
    "Indexes of a store in PostgreSQL",
    .enabled(
      if: StoreKind.postgreSQLServer != nil && !PostgreSQLServer.isWithout("sessions")
        && !PostgreSQLServer.isWithout("folding"),
      "PERENNIAL_POSTGRESQL has no URL of a server, or sessions or functions are switched off"
    )
  )
  struct PostgreSQLIndexTests {
    private func store(_ entities: String, count: Int) throws -> VersionedStore {
      try VersionedStore(entities, on: .postgreSQL) { context in
        for number in 0..<count { context.make("IndexedNote", ["title": "Éva \(number)"]) }
      }
    }

    private func isValid(_ tables: PostgreSQLTables) throws -> [String] {
      try tables.texts(
        "SELECT indisvalid::text FROM pg_index WHERE indexrelid = to_regclass('\(IndexedNote.index)')"
      )
    }

    private func repair(_ finding: StoreFinding) throws -> [String] {
      let statements: [String]? =
        if case .statements(let statements)? = finding.repair { statements } else { nil }
      return try #require(statements, "the finding has no repair")
    }

    @Test("a comparison without case and diacritics goes by the index that the model asks for")
    func plan() throws {
      let store = try store(IndexedNote.entities("cd"), count: 2000)
      let tables = try PostgreSQLTables(store.file)
      try tables.run("ANALYZE indexed_note")
      try tables.run("SET enable_seqscan = off")
      for condition in [
        "perennial_fold_cd(t0.title) = 'eva 7'", "starts_with(perennial_fold_cd(t0.title), 'eva 77')",
      ] {
        let plan = try tables.texts("EXPLAIN SELECT t0.z_pk FROM indexed_note t0 WHERE \(condition)")
        #expect(plan.contains { $0.contains(IndexedNote.index) }, "\(plan)")
      }
      let context = try store.open(try VersionedStore.model(IndexedNote.entities("cd")))
      for (condition, count) in [("title ==[cd] 'EVA 7'", 1), ("title BEGINSWITH[cd] 'eva 77'", 11)] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "IndexedNote")
        request.predicate = NSPredicate(format: condition)
        #expect(try context.fetch(request).count == count)
      }
    }

    /// Migrates a store whose texts have no index over their folded form.
    ///
    /// - Parameter times: the number of times that the transaction is run and committed.
    private func migrate(_ store: VersionedStore, to new: String, _ mostRows: Int, times: Int = 1) throws {
      let migration = LightweightMigration(
        from: try VersionedStore.model(IndexedNote.entities(nil)),
        to: try VersionedStore.model(new)
      )
      migration.source.freeze()
      migration.destination.freeze()
      let connections = try PostgreSQLStore.connections(to: store.file, options: nil)
      defer { connections.close() }
      try PostgreSQLMigration(migration, store: store.file, mostRowsInTransaction: mostRows)
        .run(connections) { body in
          for _ in 0..<times { try connections.write(body) }
        }
    }

    /// The method of the index over the folded form, such as `btree`.
    private func method(_ tables: PostgreSQLTables) throws -> [String] {
      try tables.texts(
        """
        SELECT a.amname::text FROM pg_class c JOIN pg_am a ON a.oid = c.relam \
        WHERE c.oid = to_regclass('\(IndexedNote.index)')
        """
      )
    }

    private func count(_ text: String, in context: NSManagedObjectContext) throws -> Int {
      let request = NSFetchRequest<NSManagedObject>(entityName: "IndexedNote")
      request.predicate = NSPredicate(format: "title ==[cd] %@", argumentArray: [text])
      return try context.fetch(request).count
    }

    @Test("a folded text that is too long for the index makes it a hash index")
    func longText() throws {
      let store = try store(IndexedNote.entities("cd"), count: 10)
      let tables = try PostgreSQLTables(store.file)
      #expect(try method(tables) == ["btree"])
      let context = try store.open(try VersionedStore.model(IndexedNote.entities("cd")))
      context.make("IndexedNote", ["title": LongText.text(1)])
      try context.save()
      #expect(try method(tables) == ["hash"])
      #expect(try count(LongText.text(1).uppercased(), in: context) == 1)
      #expect(try count("EVA 7", in: context) == 1)
    }

    @Test(
      "a migration makes a hash index of a folded text that is too long for the index",
      arguments: [0, 100]
    )
    func longTextInMigration(_ mostRows: Int) throws {
      let store = try VersionedStore(IndexedNote.entities(nil), on: .postgreSQL) { context in
        context.make("IndexedNote", ["title": LongText.text(1)])
      }
      let new = IndexedNote.entities("cd", IndexedNote.rank)
      try migrate(store, to: new, mostRows)
      let tables = try PostgreSQLTables(store.file)
      #expect(try method(tables) == ["hash"])
      #expect(try isValid(tables) == ["true"])
      let model = try VersionedStore.model(new)
      #expect(try PostgreSQLStoreCheck(store: store.file, model: model).findings().isEmpty)
      #expect(try count(LongText.text(1).uppercased(), in: store.open(VersionedStore.model(new))) == 1)
    }

    @Test("a repair makes a hash index if a folded text is too long for the missing index")
    func longTextInRepair() throws {
      let store = try VersionedStore(IndexedNote.entities(nil), on: .postgreSQL) { context in
        context.make("IndexedNote", ["title": LongText.text(1)])
      }
      let asking = try VersionedStore.model(IndexedNote.entities("cd"))
      let check = try PostgreSQLStoreCheck(store: store.file, model: asking)
      let name = "schema=\(store.schemaName)"
      let copy = try #require(URL(string: store.file.absoluteString.replacing(name, with: "\(name)_copy")))
      defer { try? PostgreSQLStore.destroy(at: copy, options: nil) }
      #expect(try check.repair(copyingTo: copy))
      #expect(try method(PostgreSQLTables(store.file)) == ["hash"])
      #expect(try check.findings().isEmpty)
    }

    @Test(
      "the safety copy of a repair has the keys of its tables, and nothing that goes with the store's schema"
    )
    func safetyCopy() throws {
      let store = try store(IndexedNote.entities("cd"), count: 10)
      let tables = try PostgreSQLTables(store.file)
      try tables.run("DROP INDEX \(IndexedNote.index)")
      try tables.run("CREATE INDEX extra ON indexed_note (perennial_fold_c(title))")
      let (name, copied) = ("schema=\(store.schemaName)", "\(store.schemaName)_copy")
      let copy = try #require(URL(string: store.file.absoluteString.replacing(name, with: "\(name)_copy")))
      defer { try? PostgreSQLStore.destroy(at: copy, options: nil) }
      let model = try VersionedStore.model(IndexedNote.entities("cd"))
      #expect(try PostgreSQLStoreCheck(store: store.file, model: model).repair(copyingTo: copy))
      let indexes = try tables.texts("SELECT indexdef FROM pg_indexes WHERE schemaname = '\(copied)'")
      #expect(
        indexes.allSatisfy { !$0.contains("\(store.schemaName).") && !$0.contains("perennial_fold") },
        "\(indexes)"
      )
      let keys = """
        SELECT count(*)::text FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace \
        WHERE n.nspname = '%' AND k.contype IN ('p', 'u')
        """
      let counts = try [store.schemaName, copied].map { try tables.texts(keys.replacing("%", with: $0)) }
      #expect(counts[0] == counts[1] && counts[0] != ["0"], "\(counts)")
      #expect(try tables.texts("SELECT count(*)::text FROM \(copied).indexed_note") == ["10"])
    }

    @Test("a migration builds the index of a large table after its transaction", arguments: [0, 100])
    func migration(_ mostRows: Int) throws {
      let store = try store(IndexedNote.entities(nil), count: 10)
      let new = IndexedNote.entities("cd", IndexedNote.rank)
      let recorder = StatementRecorder(store.file)
      try migrate(store, to: new, mostRows)
      let steps = recorder.steps.filter { $0.contains(IndexedNote.index) && $0.contains(store.schemaName) }
      let concurrent = steps.filter { $0.contains("CREATE INDEX CONCURRENTLY \(IndexedNote.index) ON ") }
      // Through a pooler, the index is built inside the transaction.
      let isConcurrent = mostRows == 0 && !PostgreSQLServer.isBehindBouncer
      #expect(concurrent.count == (isConcurrent ? 1 : 0) && steps.count == 1, "\(steps)")
      #expect(try isValid(PostgreSQLTables(store.file)) == ["true"])
      try store.expectFreshSchema(new)
      let notes = try store.open(try VersionedStore.model(new)).all("IndexedNote", by: "title")
      #expect(notes.count == 10 && notes.allSatisfy { $0.value(forKey: "rank") as? Int == 5 })
    }

    @Test(
      "a migration that is begun again after its commit builds the indexes that its first attempt left for later"
    )
    func repeated() throws {
      let store = try store(IndexedNote.entities(nil), count: 10)
      let new = IndexedNote.entities("cd", IndexedNote.rank)
      try migrate(store, to: new, 0, times: 2)
      #expect(try isValid(PostgreSQLTables(store.file)) == ["true"])
      try store.expectFreshSchema(new)
    }

    /// Builds an index outside of a transaction.
    private func build(_ name: String, _ element: String, _ store: VersionedStore) throws {
      let connections = try PostgreSQLStore.connections(to: store.file, options: nil)
      defer { connections.close() }
      let index = PostgreSQLIndexBuilding.Later(
        name: name,
        creation: "CREATE INDEX CONCURRENTLY \(name) ON \(store.schemaName).indexed_note (\(element))",
        replacement: nil
      )
      PostgreSQLIndexBuilding(store: store.file, schema: store.schemaName, mostRows: 0).buildLarge(
        [index],
        connections: connections
      )
    }

    @Test(
      "a failed index is removed completely, and an existing one is not built again",
      .enabled(
        if: !PostgreSQLServer.isBehindBouncer,
        "sessions of a pooler build no index outside of a transaction"
      )
    )
    func failedBuilding() throws {
      let store = try store(IndexedNote.entities(nil), count: 10)
      let tables = try PostgreSQLTables(store.file)
      let found = "SELECT oid::text FROM pg_class WHERE oid = to_regclass('extra')"
      try build("extra", "(1 / (z_opt - z_opt))", store)
      #expect(try tables.texts(found).isEmpty)
      try build("extra", "title", store)
      let first = try tables.texts(found)
      #expect(first.count == 1)
      try build("extra", "title", store)
      #expect(try tables.texts(found) == first)
    }

    @Test("an index whose creation was interrupted is found, and rebuilt by a repair or a migration")
    func broken() throws {
      let store = try store(IndexedNote.entities("cd"), count: 10)
      let tables = try PostgreSQLTables(store.file)
      let breaking =
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass('\(IndexedNote.index)')"
      try tables.run(breaking)
      let check = try PostgreSQLStoreCheck(
        store: store.file,
        model: try VersionedStore.model(IndexedNote.entities("cd"))
      )
      let findings = try check.findings()
      let finding = try #require(findings.first)
      #expect(findings.count == 1 && finding.problem.contains("was broken off"), "\(findings)")
      #expect(
        finding.remedy.contains(
          "CREATE INDEX CONCURRENTLY \(IndexedNote.index) ON \(store.schemaName).indexed_note "
        )
      )
      #expect(finding.remedy.contains("DROP INDEX \(store.schemaName).\(IndexedNote.index)"))
      for statement in try repair(finding) { try tables.run(statement) }
      #expect(try isValid(tables) == ["true"])
      #expect(try check.findings().isEmpty)
      try tables.run(breaking)
      _ = try store.migrate(IndexedNote.entities("cd", IndexedNote.rank), .inPostgreSQL)
      #expect(try isValid(PostgreSQLTables(store.file)) == ["true"])
    }

    @Test("an index that the user info asks for later is missing, and made by the repair")
    func later() throws {
      let store = try store(IndexedNote.entities(nil), count: 10)
      let tables = try PostgreSQLTables(store.file)
      let asking = try VersionedStore.model(IndexedNote.entities("cd"))
      let check = try PostgreSQLStoreCheck(store: store.file, model: asking)
      let finding = try #require(try check.findings().first)
      #expect(finding.problem == "indexed_note lacks the index \(IndexedNote.index)")
      for statement in try repair(finding) { try tables.run(statement) }
      #expect(try isValid(tables) == ["true"])
      #expect(try check.findings().isEmpty)
    }
  }

  extension VersionedStore {
    /// The name of the store's schema, which is unique.
    fileprivate var schemaName: String { (try? PostgreSQLAddress(file.absoluteString).schema) ?? "" }
  }
#endif
