import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

/// A store of 400 tags, as a process leaves it that is killed while it changes all of them with a rollback journal.
@Suite("A store with a hot rollback journal")
struct HotJournalTests {
  private let folder: TemporaryFolder
  private var hot: URL { folder.file("hot.sqlite") }
  private var journal: URL { folder.file("hot.sqlite-journal") }

  init() throws {
    folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(
      type: .sqlite,
      at: folder.file(),
      options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    for number in 0..<400 {
      let tag = Tag(context: context)
      tag.name = "\(number) " + String(repeating: "x", count: 300)
    }
    try context.save()
    try coordinator.remove(store)
    try leave()
  }

  /// Copies the files during a transaction that has written some of its pages.
  private func leave() throws {
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let writer = try SQLiteConnection(path: folder.file().path, configuration: configuration)
    try writer.use {
      try $0.execute(sql: "PRAGMA cache_size = 5; BEGIN IMMEDIATE; UPDATE ZTAG SET ZNAME = 'half ' || ZNAME")
    }
    for suffix in ["", "-journal"] {
      let place = folder.file("hot.sqlite\(suffix)")
      try Data(contentsOf: folder.file("store.sqlite\(suffix)")).write(to: place)
    }
    try writer.use { try $0.execute(sql: "ROLLBACK") }
    try writer.close()
  }

  private func open(_ url: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(
      type: .sqlite,
      at: url,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    return coordinator
  }

  private func names(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return try context.fetch(NSFetchRequest<Tag>(entityName: "Tag")).compactMap(\.name)
  }

  @Test("a store with a hot journal is half-written without its journal")
  func halfWritten() throws {
    var configuration = SQLiteConfiguration()
    configuration.readonly = true
    let reader = try SQLiteConnection(path: "file:\(hot.path)?immutable=1", configuration: configuration)
    let count = try reader.use {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZTAG WHERE ZNAME LIKE 'half%'")
    }
    #expect((1...400).contains(try #require(count)))
  }

  @Test("a hot journal is rolled back before a store opens read-only")
  func opened() throws {
    let found = try names(open(hot))
    #expect(found.count == 400 && !found.contains { $0.hasPrefix("half") })
    #expect(!FileManager.default.fileExists(atPath: journal.path))
  }

  @Test("a hot journal is rolled back through a symbolic link")
  func linked() throws {
    let link = folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: hot)
    let found = try names(open(link))
    #expect(found.count == 400 && !found.contains { $0.hasPrefix("half") })
  }

  @Test("a hot journal is rolled back before metadata, tables or model are read, and before a copy")
  func closedStore() throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: hot)
    #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    try FileManager.default.removeItem(at: hot)
    try leave()
    #expect(try NSManagedObjectModel(cachedIn: hot).entities.count == TestModel.shared.entities.count)
    try FileManager.default.removeItem(at: hot)
    try leave()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let copy = folder.file("copy.sqlite")
    try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: hot, type: .sqlite)
    let found = try names(open(copy))
    #expect(found.count == 400 && !found.contains { $0.hasPrefix("half") })
  }

  @Test("a hot journal that appears while a store is open read-only fails one read, which rolls it back")
  func laterJournal() throws {
    let coordinator = try open(hot)
    #expect(try names(coordinator).count == 400)
    let file = try Data(contentsOf: hot)
    // The copy replaces the same files, as a process would write them.
    try leave()
    let error = #expect(throws: NSError.self) { try names(coordinator) }
    #expect(error?.localizedDescription.contains("was rolled back just now; read again") == true)
    let later = try names(coordinator)
    #expect(later.count == 400 && !later.contains { $0.hasPrefix("half") })
    #expect(try Data(contentsOf: hot).count == file.count)
  }

  @Test(
    "a hot journal in a read-only folder is refused with the remedy",
    .enabled(if: geteuid() != 0, "root may write everywhere")
  )
  func unwritable() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    }
    let error = #expect(throws: NSError.self) { try open(hot) }
    #expect(error?.localizedDescription.contains("that rolls the change back") == true)
    #expect(FileManager.default.fileExists(atPath: journal.path))
  }

  // MARK: - The guarantee to SQLite

  @Test("SQLite gets no guarantee about a store next to a journal or a log that is not empty")
  func noPromise() throws {
    #expect(ImmutablePromise(hot.path) == nil)
    let path = folder.file().path
    #expect(ImmutablePromise(path) != nil)
    try Data().write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(ImmutablePromise(path) != nil)
    try Data(count: 32).write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(ImmutablePromise(path) == nil)
  }

  @Test(
    "SQLite gets the guarantee for a store whose journal has nothing to roll back",
    arguments: ["PERSIST", "TRUNCATE"]
  )
  func keptJournal(_ mode: String) throws {
    let path = folder.file().path
    let writer = try SQLiteConnection(path: path, configuration: SQLiteConfiguration())
    try writer.use {
      try $0.execute(sql: "PRAGMA journal_mode = \(mode); UPDATE ZTAG SET ZNAME = 'later' WHERE Z_PK = 1")
    }
    #expect(FileManager.default.fileExists(atPath: path + "-journal"))
    #expect(!RollbackJournal.isHot(nextTo: path))
    let promise = try #require(ImmutablePromise(path))
    #expect(try ImmutablePromise.keeping(promise) { 5 } == 5)
    try writer.close()
    #expect(RollbackJournal.isHot(nextTo: hot.path))
  }

  @Test("a read is not returned if another process wrote the store meanwhile, or is about to")
  func brokenPromise() throws {
    let path = folder.file().path
    let promise = try #require(ImmutablePromise(path))
    #expect(try ImmutablePromise.keeping(promise) { 5 } == 5)
    let error = #expect(throws: NSError.self) {
      try ImmutablePromise.keeping(promise) {
        try folder.execute("UPDATE ZTAG SET ZNAME = 'later' WHERE Z_PK = 1")
        // SQLite reports corruption when a page belongs to another state.
        throw DatabaseError(resultCode: .SQLITE_CORRUPT)
      }
    }
    #expect(error?.localizedDescription.contains("Open the store again") == true)
    let later = try #require(ImmutablePromise(path))
    try Data(count: 32).write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(throws: NSError.self) { try later.requireKept() }
  }
}
