import CoreData
import Foundation
import Testing

@Suite("A store that a coordinator has already")
struct SameStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a store is not added twice", arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
  func added(_ type: String) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let place = folder.file("store")
    let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: place)
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: place)
    }
    #expect(error?.domain == NSCocoaErrorDomain && error?.code == 134_081)
    #expect(error?.localizedDescription.contains(place.path) == true)
    #expect(coordinator.persistentStores == [store])
    // The coordinator still works.
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    Note(context: context).title = "one"
    try context.save()
    #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
  }

  @Test("a copy of a store is not added, because its objects would have the same IDs")
  func copied() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let (place, copy) = (folder.file("store.sqlite"), folder.file("copy.sqlite"))
    let store = try coordinator.addPersistentStore(type: .sqlite, at: place)
    try coordinator.remove(store)
    try FileManager.default.copyItem(at: place, to: copy)
    try coordinator.addPersistentStore(type: .sqlite, at: place)
    let error = #expect(throws: NSError.self) { try coordinator.addPersistentStore(type: .sqlite, at: copy) }
    #expect(error?.code == 134_081)
    #expect(error?.localizedDescription.contains(place.path) == true)
    try NSPersistentStoreCoordinator.setMetadata([NSStoreUUIDKey: UUID().uuidString], type: .sqlite, at: copy)
    try coordinator.addPersistentStore(type: .sqlite, at: copy)
    #expect(coordinator.persistentStores.count == 2)
  }

  @Test("a container that loads its stores again gets an error for each description")
  func container() throws {
    let container = NSPersistentContainer(name: "same", managedObjectModel: TestModel.shared)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("store.sqlite"))]
    var errors: [(any Error)?] = []
    for _ in 0..<2 { container.loadPersistentStores { errors.append($1) } }
    #expect(errors.count == 2 && errors[0] == nil)
    #expect((errors[1] as NSError?)?.code == 134_081)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test("a store is added once when several threads add it at the same time")
  func threads() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let place = folder.file("store.sqlite")
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      _ = try? coordinator.addPersistentStore(type: .sqlite, at: place)
    }
    #expect(coordinator.persistentStores.count == 1)
  }

  @Test("each added store in memory is a new one, also for descriptions without a URL")
  func memory() throws {
    let container = NSPersistentContainer(name: "memory", managedObjectModel: TestModel.shared)
    let descriptions = (0..<3).map { _ in NSPersistentStoreDescription() }
    #expect(descriptions[0].url == URL(fileURLWithPath: "/dev/null"))
    descriptions[2].type = NSInMemoryStoreType
    container.persistentStoreDescriptions = descriptions
    container.loadPersistentStores { #expect($1 == nil) }
    #expect(container.persistentStoreCoordinator.persistentStores.count == 3)
  }

  @Test("descriptions with equal contents are equal")
  func descriptions() {
    let (one, other) = (
      NSPersistentStoreDescription(url: folder.file("a")), NSPersistentStoreDescription(url: folder.file("a"))
    )
    #expect(one == other && one.hash == other.hash)
    other.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    #expect(one != other)
    #expect(one != NSPersistentStoreDescription(url: folder.file("b")))
    #expect((one.copy() as? NSPersistentStoreDescription) == one)
  }

  @Test(
    "destroying a store leaves one without version hashes; in a missing folder there is nothing to destroy"
  )
  func destroyed() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let place = folder.file("store.sqlite")
    try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: place))
    try coordinator.destroyPersistentStore(at: place, type: .sqlite)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: place)
    #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    #expect(metadata[NSStoreModelVersionHashesKey] == nil)
    try coordinator.addPersistentStore(type: .sqlite, at: place)
    let missing = folder.url.appendingPathComponent("missing/store")
    for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType] {
      try coordinator.destroyPersistentStore(at: missing, ofType: type)
    }
    try coordinator.destroyPersistentStore(
      at: missing,
      ofType: NSSQLiteStoreType,
      options: [NSPersistentStoreForceDestroyOption: true]
    )
    #expect(!FileManager.default.fileExists(atPath: missing.deletingLastPathComponent().path))
  }

  @Test("a store in memory has no file, whatever is at its URL")
  func memoryMetadata() throws {
    let place = folder.file("anything")
    try Data("no store".utf8).write(to: place)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .inMemory, at: place)
    #expect(metadata[NSStoreModelVersionHashesKey] == nil)
  }
}
