import CoreData
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite("Stores made by Apple's framework", .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"))
struct AppleMigrationTests {
  private func open(_ file: URL, _ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: file, options: VersionedStore.automatic)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func close(_ context: NSManagedObjectContext) throws {
    let coordinator = try #require(context.persistentStoreCoordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private func statements(_ file: URL) throws -> [String] {
    let queue = try SQLiteConnection(path: file.path)
    return try queue.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY sql")
    }
  }

  @Test(
    "migrated Apple-made stores have the tables and indexes of Apple's own migration",
    arguments: [AppleStore.sample, .sample.madeHere]
  )
  func sample(_ store: AppleStore) throws {
    let folder = try TemporaryFolder()
    let file = try store.copy(to: folder.url)
    let context = try open(file, AppleStore.migratedSample.loadModel())
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Car")) == 125)
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "LuxuryCar")) == 5)
    #expect(try context.all("Person", by: "firstName").count == 20)
    try close(context)
    let other = try TemporaryFolder()
    let apple = try AppleStore.migratedSample.copy(to: other.url)
    #expect(try statements(file) == statements(apple))
    // The comparison includes the numbers of the entities, but not the old name of the renamed entity.
    let numbers = "SELECT Z_ENT || ' ' || Z_SUPER || ' ' || Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    let found: [String] = try folder.query(numbers, at: file)
    #expect(try found == other.query(numbers, at: apple))
    // In a store that was made here, the same objects have other keys.
    let keys = store.isMadeHere ? "" : "Z_PK || ' ' || quote(ZOWNER) || ' ' || "
    let rows = """
      SELECT \(keys)Z_ENT || ' ' || ZMAKER || ' ' || ZNUMBERPLATE || ' ' || \
      quote((SELECT ZFIRSTNAME || ZLASTNAME FROM ZPERSON WHERE ZPERSON.Z_PK = ZOWNER)) FROM ZCAR ORDER BY 1
      """
    let cars: [String] = try folder.query(rows, at: file)
    #expect(cars.count == 125)
    #expect(try cars == other.query(rows, at: apple))
  }

  @Test(
    "Apple-made stores with models in code, derived attributes and history are migrated",
    arguments: [AppleStore.books[0], .books[0].madeHere]
  )
  func books(_ store: AppleStore) throws {
    let folder = try TemporaryFolder()
    let file = try store.copy(to: folder.url)
    let apple = try AppleStore.books[1].copy(to: folder.url)
    let model = try NSManagedObjectModel(cachedIn: apple)
    let old = try NSManagedObjectModel(cachedIn: file)
    // The cached model does not contain renaming identifiers that were set in code.
    if model.entitiesByName["Book"]?.attributesByName["frontCover"]?.renamingIdentifier != "cover" {
      model.entitiesByName["Book"]?.attributesByName["frontCover"]?.renamingIdentifier = "cover"
    }
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: model)
    let author = try #require(mapping.entityMappings.first { $0.sourceEntityName == "Author" })
    #expect(author.mappingType == .transformEntityMappingType)
    #expect(author.userInfo?["mappedProperties"] as? Set<String> == ["age", "alias", "books"])
    #expect(author.userInfo?["removedProperties"] as? Set<String> == ["siteURL"])
    let context = try open(file, model)
    #expect(try context.all("Author", by: "alias").count == 2)
    let books = try context.all("Book", by: "title")
    #expect(books.count == 52)
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Feedback")) == 444)
    try close(context)
    #expect(try statements(file) == statements(apple))
    let changes: [Int] = try folder.query("SELECT COUNT(*) FROM ACHANGE", at: file)
    #expect(changes == [5468])
  }

  @Test(
    "Apple-made stores are migrated to any later version that can be inferred",
    arguments: [AppleStore.moods[0], .moods[0].madeHere],
    [1, 2]
  )
  func moods(_ store: AppleStore, _ version: Int) throws {
    let folder = try TemporaryFolder()
    let file = try store.copy(to: folder.url)
    let count: [Int] = try folder.query("SELECT COUNT(*) FROM ZMOOD", at: file)
    let context = try open(file, AppleStore.moods[version].loadModel())
    #expect(try context.all("Mood", by: "date").count == count[0])
    #expect(try context.all("Country", by: "updatedAt").allSatisfy { $0.object("continent") != nil })
    try close(context)
  }

  @Test(
    "Apple-made stores of each version migrate to the next one if it can be inferred",
    arguments: [0, 1],
    [false, true]
  )
  func posts(_ index: Int, _ isMadeHere: Bool) throws {
    let folder = try TemporaryFolder()
    let store = isMadeHere ? AppleStore.posts[index].madeHere : AppleStore.posts[index]
    let file = try store.copy(to: folder.url)
    let context = try open(file, AppleStore.posts[index + 1].loadModel())
    let posts = try context.all("Post", by: "postID")
    #expect(posts.count == 10)
    posts[0].setValue("changed", forKey: "postID")
    if index == 0 { try context.save() }
    try close(context)
  }
}
