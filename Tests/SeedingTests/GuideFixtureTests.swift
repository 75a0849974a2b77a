import CoreData
import Foundation
import Seeding
import TestSupport
import Testing

// The guide to tests quotes the following code.

extension NSManagedObjectModel {
  static let notes = TestModel.notes()
}

/// A stack class, as some programs have one.
final class NotesStack {
  let container: NSPersistentContainer

  init(container: NSPersistentContainer) {
    self.container = container
    container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
  }

  /// The names of the tags that notes have, each once.
  @MainActor
  func usedTags() throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
    request.predicate = NSPredicate(format: "notes.@count > 0")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try container.viewContext.fetch(request).compactMap { $0.value(forKey: "name") as? String }
  }
}

/// A container with a class of its own.
final class NotesContainer: NSPersistentContainer, @unchecked Sendable {}

/// The resources that the examples read.
struct GuideFixtures {
  let folder: TestFolder
  let bundle: Bundle

  init() throws {
    folder = try TestFolder()
    try folder.write(
      "library.json",
      """
      {
        "tags": [{"name": "Spring"}, {"name": "Flower"}],
        "categories": [{"name": "Shrubs"}],
        "notes": [{"title": "Blackthorn flowers first", "category": "Shrubs", "tags": ["Spring"]}]
      }
      """
    )
    try folder.write("library.demo.json", "{\"notes\": [{\"title\": \"Demo\"}]}")
    bundle = Bundle(url: folder.url) ?? .main
  }
}

/// The Swift of the guide to tests that begin with data.
@Suite("The guide's tests with fixtures")
@MainActor
struct GuideFixtureTests {
  private let resources: GuideFixtures
  private var bundle: Bundle { resources.bundle }

  init() throws { resources = try GuideFixtures() }

  @Test func onlyTagsOfNotesAreUsed() throws {
    let stack = NotesStack(container: try Seeder.fixture("library", in: bundle, model: .notes))
    #expect(try stack.usedTags() == ["Spring"])
  }

  @Test func aTagWithoutNotesIsNotUsed() async throws {
    let container = try Seeder.fixture("library", in: bundle, model: .notes)
    try await container.performBackgroundTask { context in
      for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
        context.delete(note)
      }
      try context.save()
    }
    #expect(try NotesStack(container: container).usedTags() == [])
  }

  @Test("the guide's fixture example with the program's own container class works")
  func ownContainer() throws {
    let library = SeedFixture(Seeder(.bundle(bundle, "library.json")), model: .notes)
    let container = NotesContainer(name: "Notes", managedObjectModel: .notes)
    try library.add(to: container.persistentStoreCoordinator)
    let notes = NSFetchRequest<NSManagedObject>(entityName: "Note")
    #expect(try container.viewContext.count(for: notes) == 1)
  }

  @Test("the guide's fixture example with the seeds of an environment works")
  func environment() throws {
    let demo = SeedVariant(environment: "demo")
    let fixture = SeedFixture(Seeder(.bundle(bundle, "library.json", variant: demo)), model: .notes)
    let context = try fixture.container().viewContext
    let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
    #expect(notes.map { $0.value(forKey: "title") as? String } == ["Demo"])
  }

  @Test("the guide's fixture example with a store in a file works")
  func storeInAFile() async throws {
    let made = try TestStore(.sqlite)
    try made.seed("{\"notes\": [{\"title\": \"Shipped\"}]}")
    try made.close()
    try FileManager.default.copyItem(
      at: #require(made.url),
      to: resources.folder.url.appendingPathComponent("library.sqlite")
    )
    let folder = resources.folder.url
    let store = folder.appendingPathComponent("Test-\(UUID().uuidString).sqlite")
    try ShippedStore.bundle(bundle, "library.sqlite").copyIfAbsent(to: store)
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: .notes)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let notes = NSFetchRequest<NSManagedObject>(entityName: "Note")
    #expect(try container.viewContext.count(for: notes) == 1)
    let shipped = try Seeder.fixture("library.sqlite", in: bundle, model: .notes)
    #expect(try shipped.viewContext.count(for: notes) == 1)
    try container.persistentStoreCoordinator.persistentStores.forEach {
      try container.persistentStoreCoordinator.remove($0)
    }
  }
}
