import CoreData
import Foundation
import Testing

@Suite("Setting the address of a store")
struct SettingURLTests {
  private let folder: TemporaryFolder
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)

  init() throws { folder = try TemporaryFolder() }

  private func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func tags() throws -> [String] {
    try context().fetch(NSFetchRequest<Tag>(entityName: "Tag")).map { $0.name ?? "" }.sorted()
  }

  /// Makes a store with one tag, and closes it.
  private func make(_ name: String, type: String, tag: String) throws -> URL {
    let file = folder.file(name)
    let other = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try other.addPersistentStore(ofType: type, configurationName: nil, at: file)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = other
    Tag(context: context).name = tag
    try context.save()
    try other.remove(store)
    return file
  }

  @Test("setting the URL of a SQLite store opens the store there, and later saves go to it")
  func sqlite() throws {
    let (one, other) = try (
      make("one.sqlite", type: NSSQLiteStoreType, tag: "one"),
      make("other.sqlite", type: NSSQLiteStoreType, tag: "other")
    )
    let store = try coordinator.addPersistentStore(type: .sqlite, at: one)
    #expect(try tags() == ["one"])
    #expect(coordinator.setURL(other, for: store))
    #expect(store.url == other)
    #expect(coordinator.persistentStore(for: other) === store)
    #expect(coordinator.persistentStores == [store])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: other)
    #expect(store.identifier == metadata[NSStoreUUIDKey] as? String)
    #expect(try tags() == ["other"])
    let context = context()
    Tag(context: context).name = "new"
    try context.save()
    try coordinator.remove(store)
    #expect(try folder.query("SELECT ZNAME FROM ZTAG ORDER BY 1", at: other) == ["new", "other"])
    #expect(try folder.query("SELECT ZNAME FROM ZTAG", at: one) == ["one"])
  }

  @Test("a SQLite store keeps its URL if there is no store of its model at the new one, and makes none")
  func refused() throws {
    let one = try make("one.sqlite", type: NSSQLiteStoreType, tag: "one")
    let store = try coordinator.addPersistentStore(type: .sqlite, at: one)
    let (nowhere, text) = (folder.file("nowhere.sqlite"), folder.file("text.sqlite"))
    try Data("no database".utf8).write(to: text)
    try Data().write(to: folder.file("empty.sqlite"))
    let graph = folder.file("graph.sqlite")
    let others = NSPersistentStoreCoordinator(managedObjectModel: GraphModel.shared)
    try others.remove(others.addPersistentStore(type: .sqlite, at: graph))
    for url in [nowhere, text, graph, folder.file("empty.sqlite"), folder.url] {
      #expect(!coordinator.setURL(url, for: store), "\(url.lastPathComponent)")
      #expect(store.url == one)
      #expect(try tags() == ["one"])
    }
    #expect(!FileManager.default.fileExists(atPath: nowhere.path))
    #expect(try Data(contentsOf: folder.file("empty.sqlite")).isEmpty)
  }

  @Test(
    "the next save writes an atomic store to its new URL",
    arguments: [NSXMLStoreType, NSBinaryStoreType]
  )
  func atomic(_ type: String) throws {
    let one = try make("one", type: type, tag: "one")
    let before = try Data(contentsOf: one)
    let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: one)
    let other = folder.file("other")
    #expect(coordinator.setURL(other, for: store))
    #expect(!FileManager.default.fileExists(atPath: other.path))
    let context = context()
    Tag(context: context).name = "new"
    try context.save()
    try coordinator.remove(store)
    #expect(try Data(contentsOf: one) == before)
    let moved = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: other)
    #expect(try tags() == ["new", "one"])
    try coordinator.remove(moved)
  }

  @Test(
    "an application's own stores go on at the new address",
    arguments: [StoreKind.atomic, .incremental, .inMemory]
  )
  func own(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let store = try #require(stack.coordinator.persistentStores.first)
    let url = try #require(URL(string: "elsewhere://\(UUID().uuidString)"))
    #expect(stack.coordinator.setURL(url, for: store))
    #expect(store.url == url)
    _ = stack.tag("kept")
    try stack.save()
    #expect(try stack.newContext().count(for: NSFetchRequest<Tag>(entityName: "Tag")) == 1)
  }

  @Test("a store of another coordinator, and a place that another store has, are refused")
  func conflicts() throws {
    let one = try make("one.sqlite", type: NSSQLiteStoreType, tag: "one")
    let other = try make("other.sqlite", type: NSSQLiteStoreType, tag: "other")
    let store = try coordinator.addPersistentStore(type: .sqlite, at: one)
    try coordinator.addPersistentStore(type: .sqlite, at: other)
    #expect(!coordinator.setURL(other, for: store))
    #expect(coordinator.setURL(one, for: store))
    let stranger = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    #expect(!stranger.setURL(other, for: store))
    #expect(try tags() == ["one", "other"])
  }
}
