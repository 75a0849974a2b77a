#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "Sessions of a server that a store shares with other programs",
    .enabled(if: StoreKind.directPostgreSQLServer != nil, "PERENNIAL_POSTGRESQL names no server")
  )
  struct PostgreSQLSessionTests {
    static let parameters = ["", "preparedStatements", "sessions", "advisoryLocks"]

    @Test(
      "a store reads and writes its own tables in sessions whose search path is that of another store",
      arguments: parameters
    )
    func otherPath(_ without: String) throws {
      let own = try TagStore(without: without, options: [NSPersistentHistoryTrackingKey: true])
      let other = try TagStore()
      try own.save("own")
      try other.save("other")
      // The statements are prepared first, so the server looks their names up again.
      #expect(try own.names() == ["own"])
      let keys = "SELECT last FROM \(other.schema).perennial_keys WHERE name = 'Tag'"
      let last = try other.secondConnection().run(keys).integer(0, column: 0)
      try own.setSearchPath(other.schema)
      try own.save("second")
      let number = try #require(TestModel.shared.entitiesByName["Tag"]?.number)
      _ = try own.store().engine().reserveKeys(10_000, root: Int32(number))
      #expect(try own.names() == ["own", "second"])
      #expect(try own.names("name ==[cd] 'SECOND'") == ["second"])
      #expect(try own.names("notes.@count == 0") == ["own", "second"])
      #expect(try linkedNames(own) == ["linked"])
      let context = own.newContext()
      try context.performAndWait {
        let update = NSBatchUpdateRequest(entityName: "Tag")
        update.predicate = NSPredicate(format: "name == 'second'")
        update.propertiesToUpdate = ["name": "changed"]
        _ = try context.execute(update)
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Tag")
        request.predicate = NSPredicate(format: "name == 'own'")
        _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
      }
      #expect(try own.names() == ["changed", "linked"])
      // The history contains three saves and two batches.
      #expect(try own.store().historyExtent().last == 5)
      #expect(try other.names() == ["other"])
      #expect(try other.secondConnection().run(keys).integer(0, column: 0) == last)
      #expect(try other.secondConnection().run("SELECT count(*) FROM note").integer(0, column: 0) == 0)
    }

    /// Saves a note with a tag, and returns the names of its tags as another context reads them.
    private func linkedNames(_ store: TagStore) throws -> [String?] {
      let context = store.newContext()
      let note = try context.performAndWait {
        let note = Note(context: context)
        note.title = "note"
        let tag = Tag(context: context)
        tag.name = "linked"
        note.tags = [tag]
        try context.save()
        return note.objectID
      }
      let reader = store.newContext()
      return try reader.performAndWait {
        let found = try #require(try reader.existingObject(with: note) as? Note)
        return found.tags.map(\.name)
      }
    }

    @Test(
      "a store that another one has taken the place of is written and read no more",
      arguments: parameters
    )
    func replaced(_ without: String) throws {
      let store = try TagStore(without: without)
      try store.save("one")
      let context = store.newContext()
      #expect(try store.names() == ["one"])
      let other = UUID().uuidString
      try store.secondConnection().run("UPDATE perennial_metadata SET uuid = $1", values: [.text(other)])
      let works: [() throws -> Void] = [
        { try store.save("two") }, { _ = try store.store().snapshot() },
        { try store.store().requireAllRows() }, { _ = try store.names() },
        { _ = try store.names("name ==[cd] 'ONE'") },
        { _ = try context.performAndWait { try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")) } },
      ]
      for work in works {
        let error = #expect(throws: NSError.self) { try work() }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
      }
      #expect(try store.secondConnection().run("SELECT count(*) FROM tag").integer(0, column: 0) == 1)
    }

    @Test(
      "a store that was destroyed and created again in its schema is another one for open programs",
      arguments: parameters
    )
    func madeAnew(_ without: String) throws {
      let former = try TagStore(without: without)
      try former.save("one")
      #expect(try former.names() == ["one"])
      try PostgreSQLStore.destroy(at: former.url, options: nil)
      let store = try TagStore(schema: former.schema, isDestroyed: false)
      try store.save("two")
      let error = #expect(throws: NSError.self) { _ = try former.names() }
      #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
      #expect(try store.names() == ["two"])
      try store.close()
    }

    @Test("a fetch asks which store it reads along with its query, and begins no transaction")
    func question() throws {
      let recorder = StatementRecorder(try TagStore.url(schema: "any"))
      let store = try TagStore()
      try store.save("one")
      let before = recorder.statements.count
      #expect(try store.names() == ["one"])
      // Other connections of the store report the save at the same time, so their statements are filtered out.
      let words = recorder.statements.dropFirst(before).filter { $0.store.contains(store.schema) }.map(\.sql)
        .filter { sql in ["SELECT uuid FROM ", ".tag t0", "REPEATABLE READ"].contains(where: sql.contains) }
      #expect(words.count == 2, "\(words)")
      #expect(words.first?.hasPrefix("SELECT uuid FROM ") == true, "\(words)")
      #expect(words.last?.contains(".tag t0") == true, "\(words)")
    }

    @Test("a server without a pooler before it leaves a connection its session")
    func direct() throws {
      let store = try TagStore()
      let capabilities = try store.connections().capabilities
      #expect(capabilities[.sessions] && capabilities[.preparedStatements] && capabilities[.listen])
    }

    @Test("a setting that the server lacks does not take the others with it")
    func settings() throws {
      let connection = try TagStore().secondConnection()
      try PostgreSQLSettings.make(
        ["SET lock_timeout = 1234", "SET no_such_setting = 1"],
        connection: connection
      )
      #expect(try connection.run("SELECT current_setting('lock_timeout')").text(0, column: 0) == "1234ms")
      let last = try #require(PostgreSQLSettings.vanishing.last)
      #expect(!last.contains(";") && last.contains("client_connection_check_interval"))
    }

    @Test(
      "a pooler is detected, and two stores that use it have separate sessions",
      .enabled(if: PostgreSQLServer.isBehindBouncer, "there is no pooler before the server"),
      arguments: ["", "preparedStatements", "sessions"]
    )
    func pooler(_ without: String) async throws {
      let server = StoreKind.postgreSQLServer
      let stores = [try TagStore(at: server, without: without), try TagStore(at: server, without: without)]
      for store in stores {
        let capabilities = try store.connections().capabilities
        #expect(!capabilities[.sessions] && !capabilities[.preparedStatements] && !capabilities[.listen])
      }
      let jobs = stores.enumerated().flatMap { index, store in
        (0..<8).map { job in
          Job<Void> {
            for number in 0..<20 {
              try store.save("\(index) \(job) \(number)")
              let names = try store.names("name BEGINSWITH '\(index) \(job) '")
              guard names.count == number + 1 else { throw Missing(names: names) }
            }
          }
        }
      }
      for job in jobs { try await job.value() }
      for (index, store) in stores.enumerated() {
        let names = try store.names()
        #expect(names.count == 160 && names.allSatisfy { $0.hasPrefix("\(index) ") })
      }
    }

    private struct Missing: Error {
      let names: [String]
    }
  }

  @Suite(
    "The lock of a store in PostgreSQL",
    .enabled(if: StoreKind.directPostgreSQLServer != nil, "PERENNIAL_POSTGRESQL names no server")
  )
  struct PostgreSQLStoreLockTests {
    /// The first lock that a migration by an earlier version of the library takes.
    private static func lock(_ function: String, _ store: TagStore) -> String {
      "SELECT \(function)(hashtextextended('perennial \(store.schema)', 0))"
    }

    @Test("saves leave no lock in a row, so they create no multixacts")
    func row() throws {
      let store = try TagStore()
      for number in 0..<3 { try store.save("\(number)") }
      let locker = try store.secondConnection().run("SELECT xmax::text FROM perennial_metadata").text(
        0,
        column: 0
      )
      #expect(locker == "0")
    }

    @Test("a save waits for a migration by any version", arguments: ["", "advisoryLocks"])
    func migrating(_ without: String) throws {
      let store = try TagStore(without: without, options: [NSPersistentStoreTimeoutOption: 1])
      let other = try store.secondConnection()
      try other.run("BEGIN")
      try other.run(Self.lock("pg_advisory_xact_lock", store))
      try other.run("SELECT model_number FROM perennial_metadata FOR UPDATE")
      let error = #expect(throws: NSError.self) { try store.save("one") }
      #expect(error?.code == NSPersistentStoreTimeoutError)
      try other.run("COMMIT")
      try store.save("one")
      #expect(try store.names() == ["one"])
    }

    @Test("a save that has waited for a migration finds out that there was one")
    func migrated() async throws {
      let store = try TagStore()
      let other = try store.secondConnection()
      try other.run("BEGIN")
      try other.run(Self.lock("pg_advisory_xact_lock", store))
      try other.run("UPDATE perennial_metadata SET model_number = model_number + 1")
      let job = Job { try store.save("one") }
      let observer = try PostgreSQLServer.StoreLockObserver(store.url)
      while try !observer.isAwaited() { await Task.yield() }
      try other.run("COMMIT")
      let error = await #expect(throws: NSError.self) { try await job.value() }
      #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
    }

    @Test("a transaction of many saves keeps migrations by any version out until it ends")
    func saving() throws {
      let store = try TagStore()
      let other = try store.secondConnection()
      func isFree() throws -> Bool {
        try other.run(Self.lock("pg_try_advisory_xact_lock", store)).integer(0, column: 0) == 1
      }
      try store.coordinator.performTransaction { context in
        Tag(context: context).name = "one"
        try context.save()
        let isFreeMeanwhile = try isFree()
        #expect(!isFreeMeanwhile)
      }
      #expect(try isFree())
    }

    @Test("a migration that waits too long for a save ends with its timeout")
    func vain() throws {
      let store = try TagStore(options: [NSPersistentStoreTimeoutOption: 1])
      let long = try store.secondConnection()
      try long.run("BEGIN")
      try long.run(Self.lock("pg_advisory_xact_lock_shared", store))
      let connections = try store.connections()
      let error = #expect(throws: PostgreSQLError.self) {
        try connections.write { try PostgreSQLMigrationLock(connections).take($0) }
      }
      #expect(error?.isLockTimeout == true)
      try long.run("ROLLBACK")
      try connections.write { try PostgreSQLMigrationLock(connections).take($0) }
    }

    @Test(
      "what removes a store or repairs it waits for saves, as a migration does, and holds no table meanwhile",
      arguments: ["destroy", "unused", "repair"]
    )
    func removal(_ way: String) throws {
      let store = try TagStore()
      let options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 1]
      let check = try PostgreSQLStoreCheck(store: store.url, model: TestModel.shared, options: options)
      let copy = try TagStore.url(schema: "\(store.schema)_copy")
      func work() throws {
        switch way {
        case "destroy": try PostgreSQLStore.destroy(at: store.url, options: options)
        case "unused": _ = try PostgreSQLStore.removeIfUnused(at: store.url, options: options)
        default: _ = try check.repair(copyingTo: copy)
        }
      }
      let long = try store.secondConnection()
      try long.run("BEGIN")
      try long.run(Self.lock("pg_advisory_xact_lock_shared", store))
      let error = #expect(throws: NSError.self) { try work() }
      #expect(error?.code == NSPersistentStoreTimeoutError)
      // The save that holds the lock continues.
      try long.run(
        "INSERT INTO tag (z_pk, z_ent, z_opt) SELECT 1, z_ent, 1 FROM perennial_keys WHERE name = 'Tag'"
      )
      try long.run("ROLLBACK")
      try work()
    }

    @Test("saves begin while a migration waits for a long one")
    func waiting() async throws {
      let store = try TagStore()
      let long = try store.secondConnection()
      try long.run("BEGIN")
      try long.run(Self.lock("pg_advisory_xact_lock_shared", store))
      let migration = Job {
        let connections = try store.connections()
        try connections.write { try PostgreSQLMigrationLock(connections).take($0) }
      }
      let observer = try PostgreSQLServer.StoreLockObserver(store.url)
      while try !observer.isAwaited() { await Task.yield() }
      try store.save("one")
      #expect(try store.names() == ["one"])
      try long.run("COMMIT")
      try await migration.value()
    }
  }
#endif
