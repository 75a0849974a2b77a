import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Copying a SQLite store")
struct StoreCopyTests {
  private let folder: TemporaryFolder
  private let model: NSManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = TestModel.make()
    model.entitiesByName["Note"]?.attributesByName["body"]?.allowsExternalBinaryDataStorage = true
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file("a.sqlite"))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let note = context.make("Note", ["title": "a", "body": Data(count: 200_000)])
    _ = note
    try context.save()
    try coordinator.remove(store)
  }

  /// The names in a folder, without an empty log and its index, which a read-only connection may not remove.
  private func list(_ name: String = "") -> [String] {
    let folder = folder.url.appendingPathComponent(name)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { name in
      if name.hasSuffix("-shm") { return false }
      return !name.hasSuffix("-wal")
        || (try? Data(contentsOf: folder.appendingPathComponent(name)))?.isEmpty != true
    }
  }

  private func files(_ stem: String) -> [String] { list(".\(stem)_SUPPORT/_EXTERNAL_DATA") }

  private func copy(to name: String) throws {
    try SQLiteFile(folder.file("a.sqlite")).copy(to: SQLiteFile(folder.file(name)))
  }

  @Test("a copy includes the external data files")
  func whole() throws {
    try copy(to: "b.sqlite")
    #expect(files("a").count == 1 && files("b") == files("a"))
    #expect(try SQLiteStoreCheck(store: folder.file("b.sqlite"), model: model).findings() == [])
    #expect(list() == [".a_SUPPORT", ".b_SUPPORT", "a.sqlite", "b.sqlite"])
  }

  @Test(
    "a copy to an impossible path is an error in Cocoa's domain, and the store stays open",
    arguments: [true, false]
  )
  func impossiblePlace(_ isMoved: Bool) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file("a.sqlite"))
    let place = folder.url.appendingPathComponent("missing/b.sqlite")
    let error = #expect(throws: NSError.self) {
      if isMoved {
        try coordinator.migratePersistentStore(store, to: place, type: .sqlite)
      } else {
        try SQLiteFile(folder.file("a.sqlite")).copy(to: SQLiteFile(place))
      }
    }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.localizedDescription.contains("missing") == true)
    #expect(coordinator.persistentStores == [store])
    #expect(files("a").count == 1)
    try coordinator.remove(store)
  }

  @Test("a copy that would share the folder of large data is refused")
  func sharedFolder() throws {
    let before = files("a")
    let error = #expect(throws: NSError.self) { try copy(to: "a.db") }
    #expect(error?.localizedDescription.contains("a.sqlite") == true)
    #expect(error?.localizedDescription.contains(".a_SUPPORT") == true)
    #expect(files("a") == before)
    #expect(list() == [".a_SUPPORT", "a.sqlite"])
  }

  @Test("a failed copy removes only the files that it has made")
  func failed() throws {
    // The folder for the copy's external data files is a file, so the copy fails halfway.
    try Data("mine".utf8).write(to: folder.file(".b_SUPPORT"))
    let before = files("a")
    #expect(throws: NSError.self) { try copy(to: "b.sqlite") }
    #expect(files("a") == before)
    #expect(list() == [".a_SUPPORT", ".b_SUPPORT", "a.sqlite"])
    #expect(try Data(contentsOf: folder.file(".b_SUPPORT")) == Data("mine".utf8))
  }

  @Test("a copy that fails halfway removes its folders")
  func leavesNoFolder() throws {
    let source = ExternalDataFolder(store: folder.file("a.sqlite"))
    let target = ExternalDataFolder(store: folder.file("b.sqlite"))
    #expect(throws: CancellationError.self) {
      try source.copy(source.names, to: target) { _ in throw CancellationError() }
    }
    #expect(list() == [".a_SUPPORT", "a.sqlite"])
    try FileManager.default.createDirectory(at: target.folder, withIntermediateDirectories: true)
    #expect(throws: CancellationError.self) {
      try source.copy(source.names, to: target) { _ in throw CancellationError() }
    }
    #expect(list() == [".a_SUPPORT", ".b_SUPPORT", "a.sqlite"])
  }

  @Test("a failed copy keeps files that another program put there", arguments: [false, true])
  func taken(_ isLink: Bool) throws {
    if isLink {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("b.sqlite").path,
        withDestinationPath: "nowhere"
      )
    } else {
      try Data("mine".utf8).write(to: folder.file("b.sqlite"))
    }
    #expect(throws: NSError.self) { try copy(to: "b.sqlite") }
    #expect(list() == [".a_SUPPORT", "a.sqlite", "b.sqlite"])
  }

  /// Leaves the log of another database next to a location, where SQLite would apply its pages.
  private func leaveLog(nextTo name: String) throws {
    let other = folder.file("other.sqlite")
    let queue = try SQLiteConnection(path: other.path)
    try queue.use { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "CREATE TABLE stranger (value); INSERT INTO stranger VALUES (1)")
    }
    try FileManager.default.copyItem(atPath: other.path + "-wal", toPath: folder.file(name).path + "-wal")
    try queue.close()
    try FileManager.default.removeItem(at: other)
  }

  @Test("a copy does not apply the log that another database has left")
  func strayLog() throws {
    try leaveLog(nextTo: "b.sqlite")
    try copy(to: "b.sqlite")
    #expect(
      try folder.query(
        "SELECT COUNT(*) FROM sqlite_master WHERE name = 'stranger'",
        at: folder.file("b.sqlite")
      ) == [0]
    )
    #expect(try SQLiteStoreCheck(store: folder.file("b.sqlite"), model: model).findings() == [])
  }

  @Test("replacing a store does not put the copy next to a stray log", arguments: [false, true])
  func replacedNextToLog(_ isThere: Bool) throws {
    let target = folder.file("b.sqlite")
    if isThere { try Data("no database".utf8).write(to: target) }
    try leaveLog(nextTo: "b.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.replacePersistentStore(
      at: target,
      withPersistentStoreFrom: folder.file("a.sqlite"),
      type: .sqlite
    )
    #expect(try SQLiteStoreCheck(store: target, model: model).findings() == [])
    #expect(files("b") == files("a"))
  }

  @Test(
    "moving a store into another type fails if a value would be left out",
    arguments: [NSXMLStoreType, NSInMemoryStoreType]
  )
  func missingFile(_ type: String) throws {
    try FileManager.default.removeItem(at: folder.file(".a_SUPPORT"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file("a.sqlite"))
    let error = #expect(throws: NSError.self) {
      try coordinator.migratePersistentStore(store, to: folder.file("a.xml"), options: nil, withType: type)
    }
    #expect(error?.localizedDescription.contains("Note.body") == true, "\(String(describing: error))")
    #expect(coordinator.persistentStores == [store])
    #expect(!list().contains("a.xml"))
    try coordinator.remove(store)
  }

  @Test("destroying a copy of the old kind, which shares the folder, leaves the files of the other")
  func destroyed() throws {
    try FileManager.default.copyItem(at: folder.file("a.sqlite"), to: folder.file("a.db"))
    let before = files("a")
    for options in [nil, [NSPersistentStoreForceDestroyOption: true]] {
      try NSPersistentStoreCoordinator(managedObjectModel: model)
        .destroyPersistentStore(at: folder.file("a.db"), type: .sqlite, options: options)
      #expect(files("a") == before)
    }
    try NSPersistentStoreCoordinator(managedObjectModel: model)
      .destroyPersistentStore(at: folder.file("a.sqlite"), type: .sqlite)
    #expect(files("a").isEmpty)
  }
}
