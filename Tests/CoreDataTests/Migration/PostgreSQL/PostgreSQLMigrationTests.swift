#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Synchronization
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// A program with an open PostgreSQL store.
  private final class Server {
    let coordinator: NSPersistentStoreCoordinator
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

    init(
      _ entities: String,
      _ store: VersionedStore,
      _ options: [AnyHashable: Any] = VersionedStore.automatic
    ) throws {
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: try VersionedStore.model(entities))
      try coordinator.addPersistentStore(type: store.type, at: store.file, options: options)
      context.persistentStoreCoordinator = coordinator
    }

    deinit { for store in coordinator.persistentStores { try? coordinator.remove(store) } }

    func save(_ entity: String, _ values: [String: Any]) throws {
      context.make(entity, values)
      try context.save()
    }
  }

  @Suite(
    "A store in PostgreSQL that is migrated while others have it open",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL names no server")
  )
  struct PostgreSQLMigrationTests {
    private static let text = #"<attribute name="name" attributeType="String" optional="YES"/>"#
    private static let detail = #"<attribute name="detail" attributeType="String" optional="YES"/>"#
    private static let old = "<entity name=\"Note\">\(text)\(detail)</entity>"
    private static let rank = #"<attribute name="rank" attributeType="Integer 16" defaultValueString="5"/>"#
    private static let new =
      "<entity name=\"Note\">\(text)\(detail)\(rank)</entity><entity name=\"Album\">\(text)</entity>"
    private static let without = "<entity name=\"Note\">\(text)\(rank)</entity>"

    private let store: VersionedStore

    init() throws { store = try VersionedStore(Self.old, on: .postgreSQL) }

    private func code(_ work: () throws -> Void) -> Int? {
      do {
        try work()
        return nil
      } catch {
        return (error as NSError).code
      }
    }

    private var modelNumber: String? {
      get throws {
        try PostgreSQLTables(store.file).texts("SELECT model_number::text FROM perennial_metadata").first
      }
    }

    @Test("an older program can read on after a migration, its saves are refused, and nothing is lost")
    func deployment() throws {
      var older: Server? = try Server(Self.old, store)
      try older?.save("Note", ["name": "a", "detail": "d"])
      let newer = try Server(Self.new, store)
      try newer.save("Note", ["name": "b", "rank": 9])
      try newer.save("Album", ["name": "t"])
      #expect(try older?.context.texts("Note") == ["a", "b"])
      let refused = #expect(throws: NSError.self) { try older?.save("Note", ["name": "c"]) }
      #expect(refused?.code == NSPersistentStoreIncompatibleSchemaError)
      #expect(refused?.localizedDescription.contains("was migrated") == true)
      #expect(refused?.localizedDescription.contains("nothing was saved") == true)
      older = nil
      #expect(
        code { _ = try Server(Self.old, store, VersionedStore.byDefault) }
          == NSMigrationMissingSourceModelError
      )
      try newer.save("Note", ["name": "d"])
      #expect(try newer.context.texts("Note") == ["a", "b", "d"])
      #expect(try newer.context.all("Note").map { $0.value(forKey: "rank") as? Int } == [5, 9, 5])
      #expect(try modelNumber == "2")
    }

    @Test("each request of an older program for removed data has one clear error")
    func missingColumn() throws {
      let older = try Server(Self.old, store)
      try older.save("Note", ["name": "a", "detail": "d"])
      let note = try #require(try older.context.all("Note").first)
      let newer = try Server(Self.without, store)
      older.context.refreshAllObjects()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      let filtered = NSFetchRequest<NSManagedObject>(entityName: "Note")
      filtered.predicate = NSPredicate(format: "detail == %@", "d")
      let attempts: [() throws -> Void] = [
        { _ = try older.context.fetch(request) }, { _ = try older.context.count(for: filtered) },
        { _ = try older.context.existingObject(with: note.objectID) },
        { try older.save("Note", ["name": "c"]) },
      ]
      for attempt in attempts {
        let error = #expect(throws: NSError.self) { try attempt() }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedDescription.contains("was migrated") == true, "\(String(describing: error))")
        older.context.rollback()
      }
      #expect(try older.context.count(for: request) == 1)
      #expect(try newer.context.texts("Note") == ["a"])
    }

    @Test("a migration keeps entity numbers, so that an older program reads no rows of other entities")
    func numbers() throws {
      func model(_ entities: String) -> String { "<entity name=\"Base\">\(Self.text)</entity>" + entities }
      let song = #"<entity name="Song" parentEntity="Base"/>"#
      let album = #"<entity name="Album" parentEntity="Base"/>"#
      let store = try VersionedStore(model(song), on: .postgreSQL)
      let older = try Server(model(song), store)
      try older.save("Song", ["name": "s"])
      try older.save("Base", ["name": "b"])
      let newer = try Server(model(song + album), store)
      try newer.save("Album", ["name": "a"])
      #expect(try older.context.texts("Song") == ["s"])
      #expect(try newer.context.texts("Base") == ["a", "b", "s"])
      #expect(try newer.context.texts("Album") == ["a"])
      let numbers = try PostgreSQLTables(store.file).texts(
        "SELECT name || z_ent FROM perennial_keys ORDER BY name"
      )
      #expect(numbers == ["Album3", "Base1", "Song2"])
    }

    @Test("of two programs that migrate a store at once, one does it and the other finds it done")
    func atOnce() throws {
      try Server(Self.old, store).save("Note", ["name": "a"])
      let (file, type) = (store.file, store.type)
      let errors = Mutex<[String]>([])
      let ended = DispatchSemaphore(value: 0)
      for _ in 0..<4 {
        Thread.detachNewThread {
          defer { ended.signal() }
          do {
            let coordinator = NSPersistentStoreCoordinator(
              managedObjectModel: try VersionedStore.model(Self.new)
            )
            let store = try coordinator.addPersistentStore(
              type: type,
              at: file,
              options: VersionedStore.automatic
            )
            try coordinator.remove(store)
          } catch {
            errors.withLock { $0.append("\(error)") }
          }
        }
      }
      for _ in 0..<4 { ended.wait() }
      #expect(errors.withLock { $0 } == [])
      #expect(try modelNumber == "2")
      #expect(try store.open(VersionedStore.model(Self.new)).texts("Note") == ["a"])
      try store.expectFreshSchema(Self.new)
    }

    @Test(
      "a migration that has to wait says so, and leaves the store unchanged",
      arguments: [
        "SELECT 1 FROM perennial_metadata FOR KEY SHARE", "SELECT 1 FROM note",
      ],
      ["", "advisoryLocks"]
    )
    func lockTimeout(_ lock: String, without: String) throws {
      let before = try store.dump()
      let other = try PostgreSQLTables(store.file)
      try other.run("BEGIN")
      try other.run(lock)
      var options = VersionedStore.automatic
      options[NSPersistentStoreTimeoutOption] = 2
      if !without.isEmpty { options[PostgreSQLDisabledCapabilitiesOption] = [without] }
      let error = #expect(throws: NSError.self) { _ = try Server(Self.without, store, options) }
      #expect(error?.code == NSPersistentStoreTimeoutError)
      #expect(error?.localizedDescription.contains("kept the migration waiting") == true)
      try other.run("ROLLBACK")
      #expect(try store.dump() == before)
      _ = try Server(Self.without, store, options)
    }

    @Test("a migration waits for the locks of comments and names before readers could wait for it")
    func tableLocks() throws {
      try store.execute("ALTER INDEX note_pkey RENAME TO note_key")
      let recorder = StatementRecorder(store.file)
      _ = try Server(Self.new, store)
      let schema = try PostgreSQLAddress(store.file.absoluteString).schema
      let steps = recorder.statements.filter { $0.store.contains(schema) }.map(\.sql)
      let comments = try #require(
        steps.firstIndex { $0.contains("IN SHARE UPDATE EXCLUSIVE MODE") },
        "\(steps)"
      )
      let alone = try #require(steps.firstIndex { $0.contains("IN ACCESS EXCLUSIVE MODE") }, "\(steps)")
      #expect(comments < alone)
      #expect(steps[comments].contains("note") && steps[comments].contains("perennial_metadata"))
      #expect(steps[alone].contains("note"))
      try store.expectFreshSchema(Self.new)
    }

    @Test("a migration lets readers pass while it waits for a long read")
    func readers() throws {
      let long = try PostgreSQLTables(store.file)
      try long.run("BEGIN")
      try long.run("SELECT 1 FROM note")
      let (file, type) = (store.file, store.type)
      let ended = DispatchSemaphore(value: 0)
      let failure = Mutex<String?>(nil)
      Thread.detachNewThread {
        defer { ended.signal() }
        do {
          let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try VersionedStore.model(Self.without)
          )
          let options = VersionedStore.automatic.merging([NSPersistentStoreTimeoutOption: 120]) { $1 }
          try coordinator.remove(coordinator.addPersistentStore(type: type, at: file, options: options))
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
      }
      let other = try PostgreSQLTables(store.file)
      let waiting = """
        SELECT mode FROM pg_locks WHERE relation = 'note'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted
        """
      while try other.texts(waiting).isEmpty, failure.withLock({ $0 == nil }) {}
      // The reads would time out if they had to queue after a request that stays.
      try other.run("SET lock_timeout = '30s'")
      for _ in 0..<5 { #expect(try other.texts("SELECT name FROM note").isEmpty) }
      try long.run("ROLLBACK")
      ended.wait()
      #expect(failure.withLock { $0 } == nil)
      try store.expectFreshSchema(Self.without)
    }

    @Test("a migration waits for a program that is saving, whose changes are kept")
    func acknowledged() throws {
      let (file, type) = (store.file, store.type)
      let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let saved = Mutex<(count: Int, code: Int?)>((0, nil))
      Thread.detachNewThread {
        defer { ended.signal() }
        do {
          let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try VersionedStore.model(Self.old)
          )
          let store = try coordinator.addPersistentStore(type: type, at: file)
          defer { try? coordinator.remove(store) }
          let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          context.persistentStoreCoordinator = coordinator
          while true {
            let count = saved.withLock { $0.count }
            context.make("Note", ["name": "\(count)"])
            try context.save()
            saved.withLock { $0.count += 1 }
            if count == 20 { begun.signal() }
          }
        } catch {
          saved.withLock { $0.code = (error as NSError).code }
          begun.signal()
        }
      }
      begun.wait()
      let newer = try Server(Self.without, store)
      ended.wait()
      let (count, code) = saved.withLock { $0 }
      #expect(code == NSPersistentStoreIncompatibleSchemaError)
      let names = try newer.context.texts("Note")
      #expect(count > 20)
      #expect(names.count == count)
      #expect(Set(names) == Set((0..<count).map { "\($0)" }))
    }

    @Test("a migration names the dependency of a table that it cannot drop, and changes nothing")
    func views() throws {
      try store.execute("CREATE VIEW details AS SELECT detail FROM note")
      let before = try store.dump()
      let error = #expect(throws: NSError.self) { _ = try Server(Self.without, store) }
      #expect(error?.code == NSMigrationError)
      #expect(error?.localizedDescription.contains("Drop what stands on the tables") == true)
      #expect(try store.dump() == before)
      _ = try Server(Self.new, store)
    }

    @Test("a migration names the entity that needs too many columns, and creates nothing")
    func columns() throws {
      let attributes = (0..<1600).map {
        #"<attribute name="a\#($0)" attributeType="Boolean" optional="YES"/>"#
      }
      let wide = "<entity name=\"Wide\">\(attributes.joined())</entity>"
      for makes in [true, false] {
        let place = try #require(makes ? StoreKind.postgreSQL.place(in: store.folder.url) : store.file)
        let before = try store.dump()
        let coordinator = NSPersistentStoreCoordinator(
          managedObjectModel: try VersionedStore.model(makes ? wide : Self.old + wide)
        )
        let error = #expect(throws: NSError.self) {
          try coordinator.addPersistentStore(type: store.type, at: place, options: VersionedStore.automatic)
        }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedDescription.contains("the entity Wide") == true)
        #expect(try store.dump() == before)
        if makes { #expect(try PostgreSQLTables(place).schemaIsThere == false) }
      }
    }

    @Test("a migration rebuilds a table whose dropped columns would be too many")
    func droppedColumns() throws {
      let drops = (0..<799).map { "ADD COLUMN x\($0) boolean" }.joined(separator: ", ")
      try store.execute("ALTER TABLE note \(drops)")
      try store.execute(
        "ALTER TABLE note \(drops.replacing("ADD", with: "DROP").replacing(" boolean", with: ""))"
      )
      let attributes = (0..<800).map {
        #"<attribute name="a\#($0)" attributeType="Boolean" optional="YES"/>"#
      }
      let wide = "<entity name=\"Note\">\(Self.text)\(Self.detail)\(attributes.joined())</entity>"
      _ = try Server(wide, store)
      try store.expectFreshSchema(wide)
    }

    @Test("a migration keeps data under names that the server would truncate")
    func longNames() throws {
      let long = String(repeating: "veryLong", count: 12)
      func model(_ more: String) -> String {
        """
        <entity name="\(long)A"><attribute name="\(long)One" attributeType="String" optional="YES"/>\
        <attribute name="\(long)Two" attributeType="String" optional="YES"/>\(more)\
        <relationship name="\(long)Tags" toMany="YES" optional="YES" ordered="YES" destinationEntity="\(long)B" \
        inverseName="\(long)Notes" inverseEntity="\(long)B"/></entity>
        <entity name="\(long)B"><attribute name="name" attributeType="String" optional="YES"/>\
        <relationship name="\(long)Notes" toMany="YES" optional="YES" destinationEntity="\(long)A" \
        inverseName="\(long)Tags" inverseEntity="\(long)A"/></entity>
        """
      }
      let store = try VersionedStore(model(""), on: .postgreSQL) { context in
        let tags = ["x", "y"].map { context.make("\(long)B", ["name": $0]) }
        let note = context.make("\(long)A", ["\(long)One": "1", "\(long)Two": "2"])
        note.setValue(NSOrderedSet(array: tags), forKey: "\(long)Tags")
      }
      let renamed = model(Self.rank).replacing(
        "\"\(long)One\"",
        with: "\"\(long)Other\" elementID=\"\(long)One\""
      )
      let context = try store.migrate(renamed)
      let note = try #require(try context.all("\(long)A", by: "\(long)Two").first)
      #expect(note.text("\(long)Other") == "1")
      #expect(note.text("\(long)Two") == "2")
      #expect(note.names("\(long)Tags") == ["x", "y"])
      try store.close()
      try store.expectFreshSchema(renamed)
      let names = try PostgreSQLTables(store.file).texts(
        "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
      )
      #expect(names.allSatisfy { $0.utf8.count <= 63 })
    }

    @Test(
      "entities whose names are equal in snake case, or equal to the store's own, get tables of their own"
    )
    func alikeNames() throws {
      let names = ["FooBar", "FooBar1", "Foo_Bar", "PerennialMetadata", "PerennialKeys"]
      func model(_ rest: String) -> String {
        names.map { "<entity name=\"\($0)\">\(Self.text)\(rest)</entity>" }.joined()
      }
      let store = try VersionedStore(model(""), on: .postgreSQL) { context in
        for name in names { context.make(name, ["name": name]) }
      }
      let context = try store.migrate(model(Self.rank))
      for name in names { #expect(try context.texts(name) == [name]) }
      try store.close()
      try store.expectFreshSchema(model(Self.rank))
    }
  }
#endif
