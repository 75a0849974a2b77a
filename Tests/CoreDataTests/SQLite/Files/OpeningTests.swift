import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Opening a SQLite store")
struct OpeningTests {
  private let folder: TemporaryFolder
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func open(_ url: URL, _ options: [AnyHashable: Any] = [:]) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: url,
      options: options
    )
  }

  private func failure(_ url: URL, _ options: [AnyHashable: Any] = [:]) -> NSError? {
    let error = #expect(throws: NSError.self) { try open(url, options) }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(coordinator.persistentStores.isEmpty)
    return error
  }

  @Test("opening makes a file with the settings of Apple-made stores, which is complete when it is closed")
  func new() throws {
    let url = folder.file()
    try coordinator.remove(try open(url))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
    #expect(try folder.query("PRAGMA page_size") == [4096])
    #expect(try folder.query("PRAGMA auto_vacuum") == [2])
    #expect(try folder.query("PRAGMA journal_mode") == ["wal"])
    #expect(try folder.query("PRAGMA encoding") == ["UTF-8"])
    #expect(try folder.query("PRAGMA user_version") == [0])
    #expect(try folder.query("SELECT name FROM sqlite_master WHERE name LIKE 'grdb%'") == [String]())
  }

  @Test("opening numbers the entities in Z_PRIMARYKEY, each with its superentity's number")
  func primaryKeys() throws {
    try coordinator.remove(try open(folder.file()))
    let rows: [String] = try folder.query(
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER || ' ' || Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    )
    #expect(
      rows == [
        "1 Badge 0 0", "2 Category 0 0", "3 Note 0 0", "4 Page 0 0", "5 Person 0 0", "6 Employee 5 0",
        "7 Tag 0 0",
      ]
    )
  }

  @Test("opening treats an empty file, as a destroyed store leaves, as a new store")
  func emptyFile() throws {
    try Data().write(to: folder.file())
    #expect(try open(folder.file()).identifier.isEmpty == false)
  }

  @Test("opening a file that is not a database is an error")
  func noDatabase() throws {
    try Data("This is a letter, and no database. ".utf8 + Array(repeating: 65, count: 5000)).write(
      to: folder.file()
    )
    let error = failure(folder.file())
    #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
    #expect(error?.userInfo[NSFilePathErrorKey] as? String == folder.file().path)
    #expect(error?.userInfo[NSSQLiteErrorDomain] as? Int == 26)
    #expect(error?.localizedDescription.contains("not a database") == true)
  }

  @Test("opening a database that is not a store is an error, and leaves it unchanged")
  func noStore() throws {
    try folder.execute("CREATE TABLE other (id INTEGER)")
    let error = failure(folder.file())
    #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
    #expect(error?.localizedDescription.contains("Z_METADATA") == true)
    #expect(try folder.query("SELECT name FROM sqlite_master") == ["other"])
  }

  @Test("opening a store of another model names the different entities, and leaves it unchanged")
  func otherModel() throws {
    try coordinator.remove(try open(folder.file()))
    let before = try Data(contentsOf: folder.file())
    let model = TestModel.make()
    model.entitiesByName["Tag"]?.attributesByName["name"]?.isOptional = false
    let city = NSEntityDescription()
    city.name = "City"
    model.entities = model.entities.filter { $0.name != "Page" && $0.name != "Note" } + [city]
    for name in ["Tag", "Category"] {
      let entity = model.entitiesByName[name]
      entity?.properties = entity?.ownProperties.filter { $0.name != "notes" } ?? []
    }
    let other = NSPersistentStoreCoordinator(managedObjectModel: model)
    let error = #expect(throws: NSError.self) {
      try other.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file())
    }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    let message = error?.localizedDescription ?? ""
    #expect(message.contains("changed: Category, Tag"))
    #expect(message.contains("not in the store: City"))
    #expect(message.contains("not in the model: Note, Page"))
    #expect((error?.userInfo["metadata"] as? [String: Any])?[NSStoreTypeKey] as? String == "SQLite")
    #expect(try Data(contentsOf: folder.file()) == before)
  }

  @Test("opening ignores the model version if the option says so")
  func ignoredVersion() throws {
    try coordinator.remove(try open(folder.file()))
    let model = TestModel.make()
    model.entitiesByName["Tag"]?.attributesByName["name"]?.isOptional = false
    let other = NSPersistentStoreCoordinator(managedObjectModel: model)
    try other.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: folder.file(),
      options: [NSIgnorePersistentStoreVersioningOption: true]
    )
  }

  @Test(
    "an opening error names a missing folder, a folder instead of a file, or a path that cannot be created"
  )
  func places() throws {
    let missing = folder.url.appendingPathComponent("missing/store.sqlite")
    #expect(failure(missing)?.localizedDescription.contains("missing of the store") == true)
    #expect(failure(folder.url)?.localizedDescription.contains("is a folder") == true)
    let error = failure(URL(fileURLWithPath: "/proc/store.sqlite"))
    #expect(error?.localizedDescription.contains("/proc/store.sqlite") == true)
  }

  @Test("a store that is opened read-only must be there, and takes no saves")
  func readOnly() throws {
    let options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
    #expect(failure(folder.file(), options)?.code == CocoaError.fileReadNoSuchFile.rawValue)
    try coordinator.remove(try open(folder.file()))
    let store = try open(folder.file(), options)
    #expect(store.isReadOnly)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).isEmpty)
    let sqlite = try #require(store as? SQLiteStore)
    #expect(throws: NSError.self) { try sqlite.commit(ChangeSet(inserted: [try TestRows.tag("x")])) }
  }

  @Test("a read-only store includes the contents of the write-ahead log")
  func readOnlyLog() throws {
    let stack = try Stack(.sqlite)
    _ = stack.tag("kept")
    try stack.save()
    let url = stack.folder.appendingPathComponent("store.sqlite")
    let store = try open(url, [NSReadOnlyPersistentStoreOption: true])
    let sqlite = try #require(store as? SQLiteStore)
    #expect(try sqlite.count(FetchQuery(entity: try TestRows.entity("Tag"))) == 1)
  }

  @Test("opening respects the requested pragmas, including a rollback journal")
  func pragmas() throws {
    let pragmas = ["journal_mode": "DELETE", "synchronous": "FULL", "cache_size": "-4000"]
    let store = try open(folder.file(), [NSSQLitePragmasOption: pragmas])
    let sqlite = try #require(store as? SQLiteStore)
    let engine = try sqlite.engine()
    #expect(try engine.connections.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "delete")
    #expect(try engine.connections.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    #expect(try engine.connections.read { try Int.fetchOne($0, sql: "PRAGMA cache_size") } == -4000)
    guard case .saved = try sqlite.commit(ChangeSet(inserted: [try TestRows.tag("x")])) else {
      Issue.record("not saved")
      return
    }
    #expect(try sqlite.count(FetchQuery(entity: try TestRows.entity("Tag"))) == 1)
  }

  @Test("opening refuses unknown pragmas")
  func wrongPragmas() {
    let error = failure(folder.file(), [NSSQLitePragmasOption: ["synchronous": "1; DROP TABLE ZTAG"]])
    #expect(error?.localizedDescription.contains("NSSQLitePragmasOption") == true)
    #expect(failure(folder.file(), [NSSQLitePragmasOption: 5]) != nil)
  }

  @Test("destroying leaves an empty database, in which a new store is as in a new file")
  func destroy() throws {
    let url = folder.file()
    try open(url)
    let tables = "SELECT name || coalesce(sql, '') FROM sqlite_master"
    let statements: [String] = try folder.query(tables)
    let support = ExternalDataFolder(store: url).support
    try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [url.lastPathComponent])
    #expect(try folder.query(tables) == [String]())
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    try open(url)
    #expect(try folder.query(tables) == statements)
    #expect(try folder.query("PRAGMA auto_vacuum") == [2])
  }

  @Test("destroying by force removes the file, even one that is not a database")
  func destroyByForce() throws {
    let url = folder.file()
    try open(url)
    let force = [NSPersistentStoreForceDestroyOption: true]
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: force)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    try Data(repeating: 7, count: 5000).write(to: url)
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test("destroying makes an empty database if there is no file, and nothing if there is no folder")
  func destroyNothing() throws {
    try coordinator.destroyPersistentStore(at: folder.file(), ofType: NSSQLiteStoreType)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
    let elsewhere = folder.url.appendingPathComponent("no folder/store.sqlite")
    try coordinator.destroyPersistentStore(at: elsewhere, ofType: NSSQLiteStoreType)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
  }

  @Test("two coordinators that open a new store at once open the same one")
  func together() async throws {
    let url = folder.file()
    let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
          let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url
          )
          return store.identifier
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(identifiers.count == 1)
  }
}
