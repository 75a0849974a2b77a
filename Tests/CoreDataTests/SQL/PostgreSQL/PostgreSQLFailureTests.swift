#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Synchronization
  import TestSupport
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "Failures of a server",
    .enabled(if: StoreKind.directPostgreSQLServer != nil, "PERENNIAL_POSTGRESQL names no server")
  )
  struct PostgreSQLFailureTests {
    /// The capabilities of a server without which a store must recover all the same.
    static let parameters = ["", "transactionStatus", "preparedStatements", "sessions"]

    @Test("a read and a save whose sessions have been ended are done on others, once", arguments: parameters)
    func ended(_ without: String) throws {
      let store = try ServerStore(without: without)
      try store.save("one")
      try store.endSessions()
      #expect(try store.names() == ["one"])
      try store.endSessions()
      try store.save("two")
      #expect(try store.names() == ["one", "two"])
    }

    @Test(
      "a save that others have aborted is repeated as a whole, and reported once",
      arguments: ["40001", "40P01"],
      parameters
    )
    func stopped(_ state: String, _ without: String) throws {
      let store = try ServerStore(without: without)
      try store.failInsertions(times: 3, "RAISE EXCEPTION USING ERRCODE = '\(state)'")
      let saved = Posted(.NSManagedObjectContextDidSave, by: store.context)
      try store.save("one")
      #expect(try store.names() == ["one"])
      #expect(saved.count == 1)
      #expect(try store.triesOfInsertions() == 4)
    }

    @Test(
      "a save that loses its session, before or while it is committed, is kept once",
      arguments: parameters
    )
    func lost(_ without: String) throws {
      for isDeferred in [false, true] {
        let store = try ServerStore(without: without)
        try store.failInsertions(times: 2, "PERFORM pg_terminate_backend(pg_backend_pid())", isDeferred)
        try store.save("one")
        #expect(try store.names() == ["one"])
        #expect(try store.triesOfInsertions() == 3)
      }
    }

    @Test(
      "a save that fails until its timeout has an error that says so, and the context keeps its changes"
    )
    func timeout() throws {
      let store = try ServerStore(options: [NSPersistentStoreTimeoutOption: 3])
      try store.failInsertions(times: .max, "RAISE EXCEPTION USING ERRCODE = '40001'")
      let error = #expect(throws: NSError.self) { try store.save("one") }
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.localizedDescription.contains("rolled this transaction back") == true)
      #expect(store.context.performAndWait { store.context.hasChanges })
      #expect(try store.names() == [])
    }

    @Test("a wait for a lock of another program ends with its timeout")
    func locked() throws {
      let store = try ServerStore(options: [NSPersistentStoreTimeoutOption: 3])
      let other = try store.connection()
      try other.run("BEGIN")
      try other.run("LOCK TABLE \(store.schema).tag")
      let error = #expect(throws: NSError.self) { try store.save("one") }
      #expect(error?.code == NSPersistentStoreTimeoutError)
      try other.run("ROLLBACK")
      try store.context.performAndWait { try store.context.save() }
      #expect(try store.names() == ["one"])
    }

    @Test("a save ends a session of the store's own whose connection was lost in a transaction")
    func ownSession() throws {
      let store = try ServerStore(options: [NSPersistentStoreTimeoutOption: 20])
      let lost = try store.connection()
      try lost.run("BEGIN")
      let answer = try lost.run("SELECT pg_current_xact_id()::text, 1, extract(epoch FROM now())::text")
      try lost.run("LOCK TABLE \(store.schema).tag")
      let persistent = try #require(store.coordinator.persistentStores.first as? PostgreSQLStore)
      let outcomes = try persistent.engine().connections.outcomes
      outcomes.sessionWasLost(PostgreSQLOutcomes.Mark(key: UUID().uuidString, answer: answer))
      // A lost session that could not be queried is still remembered.
      let closed = try store.connection()
      closed.close()
      #expect(throws: PostgreSQLError.self) { try outcomes.endLostSessions(closed) }
      try store.save("one")
      #expect(try store.names() == ["one"])
      #expect(throws: PostgreSQLError.self) { try lost.run("SELECT 1") }
    }

    @Test("a save continues even if the server does not let its role end a session")
    func foreignSession() throws {
      let (owner, role) = (try TagStore(), try ServerRole())
      try role.run("GRANT USAGE ON SCHEMA \(owner.schema) TO \(role.name)")
      try role.run("GRANT ALL ON ALL TABLES IN SCHEMA \(owner.schema) TO \(role.name)")
      try role.run("GRANT pg_read_all_stats TO \(role.name)")
      let store = try TagStore(schema: owner.schema, role: role.name, isDestroyed: false)
      let other = try owner.secondConnection()
      try other.run("BEGIN")
      let answer = try other.run("SELECT pg_current_xact_id()::text, 1, extract(epoch FROM now())::text")
      try store.connections().outcomes.sessionWasLost(
        PostgreSQLOutcomes.Mark(key: UUID().uuidString, answer: answer)
      )
      try store.save("one")
      #expect(try store.names() == ["one"])
      #expect(try other.run("SELECT 1").rowCount == 1)
      try other.run("ROLLBACK")
      try store.close()
    }

    @Test("the log has the statements of a store with their values")
    func log() throws {
      let statements = Mutex<[String]>([])
      let schema = TestSchema.newName()
      let server = try #require(StoreKind.directPostgreSQLServer)
      let url = try #require(URL(string: "\(server)?schema=\(schema)"))
      let settings = DebugSettings(sql: .rows)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      try DebugLog(settings) { message in statements.withLock { $0.append(message) } }
        .during {
          try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType,
            configurationName: nil,
            at: url
          )
          let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          context.persistentStoreCoordinator = coordinator
          try context.performAndWait {
            Tag(context: context).name = "shown"
            try context.save()
            context.reset()
            _ = try context.fetch(NSFetchRequest<Tag>(entityName: "Tag"))
          }
        }
      for store in coordinator.persistentStores { try coordinator.remove(store) }
      try coordinator.destroyPersistentStore(at: url, ofType: NSPostgreSQLStoreType)
      let log = statements.withLock { $0 }
      #expect(log.contains { $0.hasPrefix("sql: INSERT INTO tag ") && $0.contains("1 changed") })
      #expect(
        log.contains { $0.hasPrefix("sql: SELECT ") && $0.contains(".tag t0") && $0.contains("'shown'") }
      )
    }

    @Test("a fetch is explained by its statement, its values and the server's plan")
    func explanation() throws {
      let store = try ServerStore()
      try store.save("one")
      let request = NSFetchRequest<Tag>(entityName: "Tag")
      request.predicate = NSPredicate(format: "name == 'one'")
      let found = try #require(try store.coordinator.explanation(of: request))
      #expect(found.sql.hasPrefix("SELECT ") && found.sql.contains(".tag t0"))
      #expect(found.bindings == ["'one'"])
      #expect(found.plan.contains { $0.contains("Scan") && $0.contains("tag") })
      // The server does not support such regular expressions, so memory evaluates the predicate.
      request.predicate = NSPredicate(format: "name MATCHES %@", argumentArray: ["\\p{L}+"])
      let decided = try #require(try store.coordinator.explanation(of: request))
      #expect(decided.plan.first?.contains("memory decides") == true)
      #expect(decided.plan.count > 1)
    }

    @Test("a transaction of many saves is never restarted without the program")
    func transaction() throws {
      let store = try ServerStore()
      try store.failInsertions(times: 1, "RAISE EXCEPTION USING ERRCODE = '40P01'")
      var count = 0
      let error = #expect(throws: NSError.self) {
        try store.coordinator.performTransaction { context in
          count += 1
          Tag(context: context).name = "one"
          try context.save()
        }
      }
      #expect(count == 1 && error?.code == NSPersistentStoreSaveError)
      #expect(try store.names() == [])
    }

    @Test("a transaction of many saves begins on a new connection if the old ones are lost")
    func newConnection() throws {
      let store = try ServerStore()
      try store.endSessions()
      try store.coordinator.performTransaction { context in
        Tag(context: context).name = "one"
        try context.save()
      }
      #expect(try store.names() == ["one"])
    }

    @Test("rows that record the outcome of a transaction are removed again")
    func outcomes() throws {
      let store = try ServerStore()
      for number in 0..<20 { try store.save("\(number)") }
      let count = try store.connection().run("SELECT count(*) FROM \(store.schema).perennial_outcome")
      #expect(count.integer(0, column: 0) == 1)
    }

    @Test("a batch insertion begins again with all rows")
    func batch() throws {
      let store = try ServerStore()
      try store.failInsertions(times: 2, "RAISE EXCEPTION USING ERRCODE = '40001'")
      var given = 0
      nonisolated(unsafe) let insertion = NSBatchInsertRequest(entity: Tag.entity()) {
        (dictionary: NSMutableDictionary) in
        given += 1
        dictionary["name"] = "\(given)"
        return given > 3
      }
      try store.context.performAndWait { _ = try store.context.execute(insertion) }
      #expect(try store.names() == ["1", "2", "3"])
    }

    @Test("a coordinator that closes refuses saves that wait for a lock, and rolls running ones back")
    func closing() async throws {
      let store = try ServerStore()
      let other = try store.connection()
      try other.run("BEGIN")
      try other.run("LOCK TABLE \(store.schema).tag")
      let saving = Task {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          Thread { continuation.resume(with: Result { try store.save("one") }) }.start()
        }
      }
      while try !store.hasWaiter() { await Task.yield() }
      try await store.coordinator.close(grace: .zero)
      let error = await #expect(throws: NSError.self) { try await saving.value }
      #expect(error?.code == NSPersistentStoreOperationError)
      try other.run("ROLLBACK")
      let count = try store.connection().run("SELECT count(*) FROM \(store.schema).tag")
      #expect(count.integer(0, column: 0) == 0)
    }

    @Test("a locked store counts as busy, and one without tables as failing")
    func health() async throws {
      let store = try ServerStore()
      let persistent = store.coordinator.persistentStores[0]
      let other = try store.connection()
      try other.run("BEGIN")
      try other.run("LOCK TABLE \(store.schema).perennial_metadata")
      let busy = try await store.coordinator.health(of: persistent, deadline: .now + .milliseconds(50))
      #expect(busy.problems.map(\.kind) == [.busy])
      try other.run("DELETE FROM \(store.schema).perennial_metadata")
      try other.run("COMMIT")
      let emptied = try await store.coordinator.health(of: persistent, deadline: .now + .seconds(86_400))
      #expect(emptied.problems.map(\.kind) == [.incompatible])
    }

    @Test("an unreachable server is reported at once, without a password")
    func absent() throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      let error = #expect(throws: NSError.self) {
        try coordinator.addPersistentStore(
          ofType: NSPostgreSQLStoreType,
          configurationName: nil,
          at: URL(string: "postgresql://somebody@127.0.0.1:1/postgres"),
          options: [PostgreSQLPasswordOption: "hidden-words"]
        )
      }
      #expect(error?.code == NSPersistentStoreOpenError)
      for text in ["\(error as Any)", error?.localizedDescription ?? "", "\(error?.userInfo ?? [:])"] {
        #expect(!text.contains("hidden-words"))
      }
    }
  }

  @Suite("Passwords of stores in PostgreSQL")
  struct PostgreSQLPasswordTests {
    @Test(
      "a URL with a password is refused, and no error repeats it",
      arguments: [
        "u:hidden@127.0.0.1/d", "127.0.0.1/d?password=hidden", "u:1/hidden@127.0.0.1/d",
        "127.0.0.1/d?Password=hidden",
      ]
    )
    func refused(_ rest: String) throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      let error = #expect(throws: NSError.self) {
        try coordinator.addPersistentStore(
          ofType: NSPostgreSQLStoreType,
          configurationName: nil,
          at: URL(string: "postgresql://\(rest)")
        )
      }
      #expect(error?.code == NSPersistentStoreOpenError)
      let text = "\(error as Any) \(error?.userInfo ?? [:])"
      #expect(!text.contains("hidden"))
    }
  }

  /// A store of tags in its own schema, with methods that interfere with it on the server.
  // Each test uses it on one thread at a time.
  private final class ServerStore: @unchecked Sendable {
    let schema = TestSchema.newName()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    private let url: URL
    private let server: String

    init(without: String = "", options: [AnyHashable: Any] = [:]) throws {
      server = try #require(StoreKind.directPostgreSQLServer)
      let parameter = without.isEmpty ? "" : "&without=\(without)"
      url = try #require(
        URL(string: "\(server)?schema=\(schema)&application_name=\(schema.suffix(20))\(parameter)")
      )
      try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType,
        configurationName: nil,
        at: url,
        options: options
      )
      context.persistentStoreCoordinator = coordinator
    }

    deinit {
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
      try? coordinator.destroyPersistentStore(at: url, ofType: NSPostgreSQLStoreType)
    }

    /// A connection in addition to those of the store.
    func connection() throws -> PostgreSQLConnection { try PostgreSQLConnection(PostgreSQLAddress(server)) }

    func save(_ name: String) throws {
      try context.performAndWait {
        Tag(context: context).name = name
        try context.save()
      }
    }

    func names() throws -> [String] {
      let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      other.persistentStoreCoordinator = coordinator
      return try other.performAndWait {
        try other.fetch(NSFetchRequest<Tag>(entityName: "Tag")).compactMap(\.name).sorted()
      }
    }

    /// Ends all sessions of the store, and waits until they have ended.
    func endSessions() throws {
      let result = try connection().run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = $1",
        values: [.text(String(schema.suffix(20)))]
      )
      #expect(result.rowCount > 0)
    }

    /// True if a session of the store waits for a lock.
    func hasWaiter() throws -> Bool {
      try connection().run(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
        values: [.text(String(schema.suffix(20)))]
      )
      .rowCount > 0
    }

    /// Makes the first insertions of tags fail.
    ///
    /// - Parameter isDeferred: true for a failure at the end of the transaction.
    func failInsertions(times: Int64, _ failure: String, _ isDeferred: Bool = false) throws {
      let deferred = isDeferred ? "DEFERRABLE INITIALLY DEFERRED" : ""
      try connection().runScript(
        """
        CREATE SEQUENCE \(schema).tries;
        CREATE FUNCTION \(schema).fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('\(schema).tries') <= \(times) THEN \(failure); END IF;
          RETURN NEW;
        END $$;
        CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON \(schema).tag \(deferred)
          FOR EACH ROW EXECUTE FUNCTION \(schema).fail();
        """
      )
    }

    /// The number of attempts to insert a tag.
    func triesOfInsertions() throws -> Int64? {
      try connection().run("SELECT last_value FROM \(schema).tries").integer(0, column: 0)
    }
  }
#endif
