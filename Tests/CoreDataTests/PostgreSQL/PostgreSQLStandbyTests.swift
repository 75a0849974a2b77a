#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "Saves that wait for a standby server",
    .enabled(if: PostgreSQLServer.waitsForStandby, "the server waits for no standby; see Scripts/postgresql"),
    .timeLimit(.minutes(10))
  )
  struct PostgreSQLStandbyTests {
    /// A store with a tag, which a role opens whose commits wait for a standby.
    private final class WaitingStore {
      let owner: TagStore
      private let role: ServerRole
      private let store: TagStore
      private let server: PostgreSQLConnection
      let context: NSManagedObjectContext

      init(_ options: [AnyHashable: Any] = [:]) throws {
        owner = try TagStore()
        // The key of the tag is reserved here: a reservation would wait as well.
        try owner.save("one")
        role = try ServerRole()
        try role.run("GRANT USAGE ON SCHEMA \(owner.schema) TO \(role.name)")
        try role.run("GRANT ALL ON ALL TABLES IN SCHEMA \(owner.schema) TO \(role.name)")
        try role.run("ALTER ROLE \(role.name) SET synchronous_commit TO on")
        store = try TagStore(schema: owner.schema, role: role.name, isDestroyed: false, options: options)
        server = try owner.secondConnection()
        context = store.newContext()
        try context.performAndWait {
          try context.fetch(NSFetchRequest<Tag>(entityName: "Tag"))[0].name = "two"
        }
      }

      deinit { try? store.close() }

      /// Waits until a session of the role waits for a standby, with a statement that begins with a text.
      func waitForSession(_ beginning: String) async throws -> Int64 {
        while true {
          // The limit of the suite cancels the test.
          try Task.checkCancellation()
          let found = try server.run(
            """
            SELECT pid FROM pg_stat_activity \
            WHERE usename = $1 AND wait_event = 'SyncRep' AND starts_with(query, $2)
            """,
            values: [.text(role.name), .text(beginning)]
          )
          if let process = found.rowCount > 0 ? found.integer(0, column: 0) : nil { return process }
          await Task.yield()
        }
      }

      func end(_ process: Int64) throws {
        try server.run("SELECT pg_terminate_backend($1, 60000)", values: [.integer(process)])
      }
    }

    @Test("a save that is cancelled has an error that says that it is kept, and that a standby may lack it")
    func cancelled() async throws {
      let store = try WaitingStore()
      let saving = Task { [context = store.context] in try await context.save(deadline: .now + .seconds(3600)) }
      _ = try await store.waitForSession("COMMIT")
      saving.cancel()
      let error = await #expect(throws: NSError.self) { try await saving.value }
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.localizedDescription.contains("transaction is committed") == true)
      #expect(error?.localizedDescription.contains("Fetch the objects") == true)
      #expect(try store.owner.names() == ["two"])
    }

    @Test("a save that lost its session is known to be kept when a standby has it, and unknown until then")
    func lost() async throws {
      let store = try WaitingStore([NSPersistentStoreTimeoutOption: 1])
      let saving = Task { [context = store.context] in try await context.perform { try context.save() } }
      try store.end(await store.waitForSession("COMMIT"))
      // The question writes, and so waits as well.
      _ = try await store.waitForSession("INSERT")
      let error = await #expect(throws: NSError.self) { try await saving.value }
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.localizedDescription.contains("could not be asked") == true)
      #expect(error?.localizedDescription.contains("standby") == true)
      #expect(try store.owner.names() == ["two"])
    }
  }
#endif
