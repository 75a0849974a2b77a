import CoreData
import Foundation
import Testing

@Suite("A SQLite store at /dev/null")
struct MemoryStoreTests {
  private static let url = URL(fileURLWithPath: "/dev/null")

  private func context(_ url: URL, _ options: [AnyHashable: Any] = [:]) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(type: .sqlite, configuration: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func names(_ context: NSManagedObjectContext) throws -> [String] {
    let request = NSFetchRequest<Tag>(entityName: "Tag")
    request.predicate = NSPredicate(format: "name BEGINSWITH[c] 't'")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request).compactMap(\.name)
  }

  private func save(_ name: String, _ context: NSManagedObjectContext) throws {
    Tag(context: context).name = name
    try context.save()
  }

  private func kind(of path: String) throws -> FileAttributeType? {
    try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }

  @Test("a store at /dev/null is in memory: each has its own objects, and the device is unchanged")
  func unnamed() throws {
    let (one, other) = (try context(Self.url), try context(Self.url))
    try save("t", one)
    one.reset()
    #expect(try names(one) == ["t"])
    #expect(try names(other) == [])
    #expect(one.persistentStoreCoordinator?.persistentStores.first?.url == Self.url)
    try one.persistentStoreCoordinator?.destroyPersistentStore(at: Self.url, type: .sqlite)
    #expect(one.persistentStoreCoordinator?.persistentStores == [])
    #expect(try kind(of: "/dev/null") == .typeCharacterSpecial)
    #expect(!FileManager.default.fileExists(atPath: "/dev/null-wal"))
  }

  @Test("stores at the same path below /dev/null share objects while one of them is open")
  func named() throws {
    let url = Self.url.appendingPathComponent("names \(UUID())?")
    do {
      let (one, other) = (try context(url), try context(url))
      try save("t", one)
      try save("u", other)
      try save("T2", other)
      #expect(try names(one) == ["T2", "t"])
      for context in [one, other] {
        let coordinator = try #require(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
      }
    }
    #expect(try names(try context(url)) == [])
  }

  @Test("a store at /dev/null supports a history, large values and batch requests")
  func contents() throws {
    let context = try context(Self.url, [NSPersistentHistoryTrackingKey: true])
    try context.execute(NSBatchInsertRequest(entityName: "Tag", objects: [["name": "t"], ["name": "t2"]]))
    try save("t3", context)
    #expect(try names(context) == ["t", "t2", "t3"])
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
    #expect((result.result as? [NSPersistentHistoryTransaction])?.count == 2)
  }

  @Test("a store cannot be copied or moved to /dev/null")
  func replacing() throws {
    let folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: folder.file()))
    #expect(throws: (any Error).self) {
      try coordinator.replacePersistentStore(
        at: Self.url.appendingPathComponent("name"),
        withPersistentStoreFrom: folder.file(),
        type: .sqlite
      )
    }
    #expect(try kind(of: "/dev/null") == .typeCharacterSpecial)
  }
}
