import CoreData
import Foundation
import Testing

@Suite("The persistent store coordinator")
struct CoordinatorTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "perennial-\(UUID().uuidString)"
  )

  private func coordinator() throws -> NSPersistentStoreCoordinator {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
  }

  @Test("the coordinator destroys a store with all of its files, open or not, existing or not")
  func destroy() throws {
    let coordinator = try coordinator()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("store.sqlite")
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: url,
      options: nil
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    Tag(context: context).name = "t"
    try context.save()
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
    #expect(coordinator.persistentStores.isEmpty)
    try coordinator.destroyPersistentStore(at: url, type: .sqlite)
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    fresh.persistentStoreCoordinator = coordinator
    #expect(try fresh.count(for: NSFetchRequest<Tag>(entityName: "Tag")) == 0)
  }

  @Test("the coordinator stores metadata with the next save")
  func metadata() throws {
    let coordinator = try coordinator()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("store.sqlite")
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    var metadata = coordinator.metadata(for: store)
    metadata["mine"] = "kept"
    coordinator.setMetadata(metadata, for: store)
    let saved = { try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url) }
    #expect(try saved()["mine"] == nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    Tag(context: context).name = "t"
    try context.save()
    #expect(try saved()["mine"] as? String == "kept")
    #expect(try saved()[NSStoreUUIDKey] as? String == store.identifier)
    #expect(try saved()[NSStoreTypeKey] as? String == NSSQLiteStoreType)
  }

  @Test("the coordinator refuses an unknown store type")
  func unknownType() throws {
    let coordinator = try coordinator()
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(ofType: "Paper", configurationName: nil, at: nil, options: nil)
    }
    #expect(error?.code == NSPersistentStoreInvalidTypeError)
  }

  @Test("the coordinator has no ID for a URI that does not name an object of its stores")
  func addresses() throws {
    let coordinator = try coordinator()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try coordinator.addPersistentStore(type: .inMemory)
    let addresses = [
      "x-coredata:///Tag/p1", "x-coredata://\(store.identifier ?? "")/Nothing/p1",
      "x-coredata://\(store.identifier ?? "")/Tag/p0", "x-coredata://\(store.identifier ?? "")/Tag/x1",
      "x-coredata://\(store.identifier ?? "")/Tag/p99999999999999999999", "https://example.org/Tag/p1",
      "x-coredata:",
    ]
    for address in addresses {
      let url = try #require(URL(string: address))
      #expect(coordinator.managedObjectID(forURIRepresentation: url) == nil, "\(address)")
    }
  }

  @Test("an ID of another coordinator on the same store leads to the same record")
  func otherCoordinator() throws {
    let one = try coordinator()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("store.sqlite")
    try one.addPersistentStore(type: .sqlite, at: url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = one
    let tag = Tag(context: context)
    tag.name = "t"
    try context.save()
    let other = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try other.addPersistentStore(type: .inMemory)
    try other.addPersistentStore(type: .sqlite, at: url)
    let elsewhere = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    elsewhere.persistentStoreCoordinator = other
    let found = try #require(try elsewhere.existingObject(with: tag.objectID) as? Tag)
    #expect(found.name == "t")
    #expect(found.objectID == tag.objectID)
    #expect(elsewhere.object(with: tag.objectID) === found)
  }

  @Test("two stores of one coordinator answer together")
  func twoStores() throws {
    let coordinator = try coordinator()
    defer { try? FileManager.default.removeItem(at: folder) }
    let urls = ["a", "b"].map { folder.appendingPathComponent("\($0).sqlite") }
    for (index, url) in urls.enumerated() {
      let single = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      let store = try single.addPersistentStore(type: .sqlite, at: url)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = single
      for number in 0..<3 { Tag(context: context).name = "\(number * 2 + index)" }
      try context.save()
      try single.remove(store)
    }
    for url in urls { try coordinator.addPersistentStore(type: .sqlite, at: url) }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let request = NSFetchRequest<Tag>(entityName: "Tag")
    request.sortDescriptors = [.byName]
    #expect(try context.fetch(request).compactMap(\.name) == ["0", "1", "2", "3", "4", "5"])
    request.fetchOffset = 1
    request.fetchLimit = 3
    let tags = try context.fetch(request)
    #expect(tags.compactMap(\.name) == ["1", "2", "3"])
    tags[0].name = "one"
    tags[1].name = "two"
    try context.save()
    request.fetchOffset = 0
    request.fetchLimit = 0
    request.affectedStores = [coordinator.persistentStores[1]]
    #expect(try context.fetch(request).compactMap(\.name) == ["3", "5", "one"])
  }
}
