#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import TestSupport
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "Roles with few rights at a server",
    .enabled(if: StoreKind.directPostgreSQLServer != nil, "PERENNIAL_POSTGRESQL names no server")
  )
  struct PostgreSQLRoleTests {
    private let role: ServerRole

    init() throws { role = try ServerRole() }

    // MARK: - Row-level security

    /// Opens a store as a role that may read and write it, but whose row policy hides the only tag.
    private func hiddenStore(_ owner: TagStore) throws -> TagStore {
      try owner.save("hidden")
      try role.run("GRANT USAGE ON SCHEMA \(owner.schema) TO \(role.name)")
      try role.run("GRANT ALL ON ALL TABLES IN SCHEMA \(owner.schema) TO \(role.name)")
      try role.run("ALTER TABLE \(owner.schema).tag ENABLE ROW LEVEL SECURITY")
      return try TagStore(
        schema: owner.schema,
        role: role.name,
        isDestroyed: false,
        options: [NSReadOnlyPersistentStoreOption: true]
      )
    }

    private func expectRefusal(_ work: () throws -> Void) throws {
      let error = #expect(throws: NSError.self) { try work() }
      #expect(error?.code == CocoaError.fileReadNoPermission.rawValue)
      #expect(error?.localizedDescription.contains("row-level security policy") == true)
      #expect(error?.localizedDescription.contains("BYPASSRLS") == true)
    }

    @Test("a fetch finds the rows that a row-level security policy permits")
    func fetch() throws {
      let owner = try TagStore()
      #expect(try hiddenStore(owner).names() == [])
    }

    @Test(
      "a copy of a store from which a row-level security policy hides rows is refused, and leaves nothing",
      arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
    )
    func copy(_ type: String) throws {
      let owner = try TagStore()
      let hidden = try hiddenStore(owner)
      let folder = try TemporaryFolder()
      let store = try hidden.store()
      try expectRefusal {
        _ = try hidden.coordinator.migratePersistentStore(store, to: folder.file("copy"), withType: type)
      }
      #expect(!FileManager.default.fileExists(atPath: folder.file("copy").path))
    }

    @Test("a copy inside of a server is refused likewise")
    func copyInServer() throws {
      let owner = try TagStore()
      let hidden = try hiddenStore(owner)
      let copy = try TagStore.url(schema: TestSchema.newName())
      try expectRefusal {
        try PostgreSQLStore.replace(copy, options: nil, withCopyOf: hidden.url, options: nil)
      }
      #expect(throws: NSError.self) { try PostgreSQLStore.metadata(at: copy, options: nil) }
    }

    @Test("a check and a repair are refused likewise, so that no link to a hidden row is removed")
    func check() throws {
      let owner = try TagStore()
      let hidden = try hiddenStore(owner)
      let check = try PostgreSQLStoreCheck(store: hidden.url, model: TestModel.shared)
      try expectRefusal { _ = try check.findings() }
      let copy = try TagStore.url(schema: "\(owner.schema)_copy")
      try expectRefusal { _ = try check.repair(copyingTo: copy) }
    }

    @Test("a program that reads a whole store can check its permissions first")
    func asked() throws {
      let owner = try TagStore()
      let hidden = try hiddenStore(owner)
      try owner.coordinator.requireAllRows()
      try expectRefusal { try hidden.coordinator.requireAllRows() }
    }

    @Test(
      "a store whose rows a policy hides from its owner is not treated as an unused one"
    )
    func unused() throws {
      try makeOwnSchema()
      let store = try TagStore(schema: schema, role: role.name)
      try store.save("hidden")
      try store.close()
      try role.run("ALTER TABLE \(schema).tag ENABLE ROW LEVEL SECURITY")
      try role.run("ALTER TABLE \(schema).tag FORCE ROW LEVEL SECURITY")
      try expectRefusal { _ = try PostgreSQLStore.removeIfUnused(at: store.url, options: nil) }
      #expect(try role.run("SELECT count(*) FROM \(schema).tag").integer(0, column: 0) == 1)
    }

    @Test("a migration by the owner from whom a policy hides rows is refused")
    func migration() throws {
      try makeOwnSchema()
      let store = try TagStore(schema: schema, role: role.name)
      try store.save("hidden")
      let connections = try store.connections()
      try role.run("ALTER TABLE \(schema).tag ENABLE ROW LEVEL SECURITY")
      try role.run("ALTER TABLE \(schema).tag FORCE ROW LEVEL SECURITY")
      let error = #expect(throws: PostgreSQLError.self) {
        try connections.write { connection in
          try PostgreSQLMigrationLock(connections).take(connection)
          try connection.run("UPDATE tag SET name = NULL")
        }
      }
      #expect(error?.isOfRowSecurity == true)
    }

    // MARK: - A schema without the right to make others

    private let schema = TestSchema.newName()

    private func makeOwnSchema() throws {
      try role.run("CREATE SCHEMA \(schema) AUTHORIZATION \(role.name)")
    }

    private func isThere(_ schema: String) throws -> Bool {
      try role.run("SELECT 1 FROM pg_namespace WHERE nspname = '\(schema)'").rowCount == 1
    }

    @Test("a role makes, uses and destroys a store in a schema of its own, which stays with its grants")
    func ownSchema() throws {
      try makeOwnSchema()
      let reader = try ServerRole()
      try role.run("GRANT USAGE ON SCHEMA \(schema) TO \(reader.name)")
      let store = try TagStore(schema: schema, role: role.name)
      try store.save("one")
      #expect(try store.names() == ["one"])
      try store.close()
      try PostgreSQLStore.destroy(at: store.url, options: nil)
      let objects = """
        SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace) \
        + (SELECT count(*) FROM pg_proc WHERE pronamespace = '\(schema)'::regnamespace) \
        + (SELECT count(*) FROM pg_collation WHERE collnamespace = '\(schema)'::regnamespace)
        """
      #expect(try role.run(objects).integer(0, column: 0) == 0)
      let grant = "SELECT has_schema_privilege('\(reader.name)', '\(schema)', 'USAGE')"
      #expect(try role.run(grant).integer(0, column: 0) == 1)
      try store.open()
      #expect(try store.names() == [])
      try store.save("two")
      #expect(try store.names() == ["two"])
    }

    @Test("a role replaces the store in a schema of its own by the copy of another one")
    func replacing() throws {
      try makeOwnSchema()
      let source = try TagStore()
      try source.save("source")
      let store = try TagStore(schema: schema, role: role.name)
      try store.save("one")
      try store.close()
      try PostgreSQLStore.replace(store.url, options: nil, withCopyOf: source.url, options: nil)
      try store.open()
      #expect(try store.names() == ["source"])
    }

    @Test("a role that may not create the schema gets an error with the command to run")
    func noSchema() throws {
      let url = try TagStore.url(schema: schema, role: role.name)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      let error = #expect(throws: NSError.self) {
        try coordinator.addPersistentStore(
          ofType: NSPostgreSQLStoreType,
          configurationName: nil,
          at: url,
          options: nil
        )
      }
      #expect(error?.code == CocoaError.fileWriteNoPermission.rawValue)
      let message = error?.localizedDescription ?? ""
      #expect(message.contains("CREATE SCHEMA \"\(schema)\" AUTHORIZATION \(role.name)"))
      #expect(message.contains("GRANT CREATE ON DATABASE"))
      #expect(try !isThere(schema))
    }

    @Test("a repair copies into an empty schema that was made for it, and into no other one")
    func repair() throws {
      try makeOwnSchema()
      let store = try TagStore(schema: schema, role: role.name)
      try store.save("one")
      try role.run("UPDATE \(schema).tag SET z_opt = NULL")
      let check = try PostgreSQLStoreCheck(store: store.url, model: TestModel.shared)
      let copy = "\(schema)_copy"
      let place = try TagStore.url(schema: copy, role: role.name)
      let missing = #expect(throws: NSError.self) { try check.repair(copyingTo: place) }
      #expect(missing?.code == CocoaError.fileWriteNoPermission.rawValue)
      try role.run("CREATE SCHEMA \(copy) AUTHORIZATION \(role.name)")
      try role.run("CREATE TABLE \(copy).others (n int)")
      let taken = #expect(throws: NSError.self) { try check.repair(copyingTo: place) }
      #expect(taken?.code == CocoaError.fileWriteFileExists.rawValue)
      try role.run("DROP TABLE \(copy).others")
      #expect(try check.repair(copyingTo: place))
      #expect(try check.findings().isEmpty)
      #expect(try role.run("SELECT count(*) FROM \(copy).tag WHERE z_opt IS NULL").integer(0, column: 0) == 1)
    }

    // MARK: - Privileges for writing

    @Test("a role with the grants for writing saves, and needs no more")
    func writing() throws {
      let owner = try TagStore()
      try owner.save("one")
      for grant in [
        "USAGE ON SCHEMA \(owner.schema)", "SELECT ON ALL TABLES IN SCHEMA \(owner.schema)",
        "INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(owner.schema)",
      ] {
        try role.run("GRANT \(grant) TO \(role.name)")
      }
      let store = try TagStore(schema: owner.schema, role: role.name, isDestroyed: false)
      try store.save("two")
      #expect(try store.names() == ["one", "two"])
      #expect(try owner.names() == ["one", "two"])
    }

    // MARK: - Encodings

    @Test("a database that is not UTF-8 is refused with its encoding and the remedy")
    func encoding() throws {
      let database = "latin_\(UUID().uuidString.lowercased().prefix(8))"
      try role.run(
        "CREATE DATABASE \(database) ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
      )
      defer { _ = try? role.run("DROP DATABASE \(database) WITH (FORCE)") }
      var parts = try #require(StoreKind.directPostgreSQLServer.flatMap { URLComponents(string: $0) })
      parts.path = "/\(database)"
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      let url = parts.url
      let error = #expect(throws: NSError.self) {
        try coordinator.addPersistentStore(
          ofType: NSPostgreSQLStoreType,
          configurationName: nil,
          at: url,
          options: nil
        )
      }
      #expect(error?.code == NSPersistentStoreOpenError)
      #expect(error?.localizedDescription.contains("the encoding LATIN1") == true)
      #expect(error?.localizedDescription.contains("ENCODING 'UTF8'") == true)
    }
  }
#endif
