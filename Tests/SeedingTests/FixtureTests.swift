import CoreData
import Foundation
import Seeding
import TestSupport
import Testing

/// Stores for tests, each of which is a copy of a store that is filled once.
@Suite("Fixtures")
struct FixtureTests {
  private static let model = TestModel.notes()
  private static let things = TestModel.things(key: "name")

  private let folder: TestFolder
  private let bundle: Bundle

  init() throws {
    folder = try TestFolder()
    try folder.write(
      "library.json",
      """
      {"tags": [{"name": "Tips"}, {"name": "News"}], "categories": [{"name": "Swift"}],
       "notes": [{"title": "Hello", "category": "Swift", "tags": ["Tips", "News"]}]}
      """
    )
    bundle = try #require(Bundle(url: folder.url))
  }

  private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

  private func fixture(_ name: String = "library") throws -> NSPersistentContainer {
    try Seeder.fixture(name, in: bundle, model: Self.model)
  }

  /// The notes of a container, with their related objects.
  private func notes(_ container: NSPersistentContainer) throws -> [String] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      return try context.fetch(request).map { note in
        let tags = (note.value(forKey: "tags") as? Set<NSManagedObject> ?? []).compactMap {
          $0.value(forKey: "name") as? String
        }
        let category = note.value(forKeyPath: "category.name") as? String
        return "\(note.value(forKey: "title") ?? "") in \(category ?? "-"): \(tags.sorted())"
      }
    }
  }

  private func change(_ container: NSPersistentContainer, _ body: (NSManagedObjectContext) throws -> Void)
    throws
  {
    let context = container.newBackgroundContext()
    try context.performUncheckedAndWait {
      try body(context)
      try context.save()
    }
  }

  private func object(_ entity: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).first)
  }

  @Test(
    "a fixture's container has an open store with the seed's objects",
    arguments: ["library", "library.json"]
  )
  func contents(name: String) throws {
    let container = try fixture(name)
    #expect(try notes(container) == ["Hello in Swift: [\"News\", \"Tips\"]"])
    #expect(container.persistentStoreCoordinator.persistentStores.map(\.type) == [NSInMemoryStoreType])
    #expect(container.name == name)
  }

  @Test("changes of one test to a fixture's store are invisible to other tests")
  func isolation() throws {
    let (one, other) = (try fixture(), try fixture())
    try change(one) { context in
      let note = try object("Note", in: context)
      note.setValue("Changed", forKey: "title")
      note.setValue(nil, forKey: "category")
      note.setValue(NSSet(), forKey: "tags")
      context.delete(try object("Tag", in: context))
      NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        .setValue("New", forKey: "title")
    }
    #expect(try notes(one) == ["Changed in -: []", "New in -: []"])
    #expect(try notes(other) == ["Hello in Swift: [\"News\", \"Tips\"]"])
    #expect(try notes(fixture()) == ["Hello in Swift: [\"News\", \"Tips\"]"])
  }

  @Test("an in-place change to a fixture's object changes one store only")
  func transformables() throws {
    let seed = SeedSource.data(
      Data("{\"things\": [{\"name\": \"One\", \"list\": [1, 2]}]}".utf8),
      name: "things.json"
    )
    let fixture = SeedFixture(Seeder(seed), model: Self.things)
    func list(_ container: NSPersistentContainer) throws -> NSArray {
      let context = container.newBackgroundContext()
      return try context.performAndWait {
        try #require(try object("Thing", in: context).value(forKey: "list") as? NSArray)
      }
    }
    let (one, other) = (try fixture.container(), try fixture.container())
    #expect(try list(one) == [1, 2])
    #expect(try list(one) !== list(other))
    #expect(try list(other) !== list(fixture.container()))
  }

  @Test(
    "objects have the same primary keys in all copies of a fixture, and each store has its own identifier"
  )
  func identities() throws {
    let ids = try (0..<2).map { _ in
      let context = try fixture().newBackgroundContext()
      return try context.performAndWait { try object("Note", in: context).objectID.uriRepresentation() }
    }
    #expect(ids[0].lastPathComponent == ids[1].lastPathComponent)
    #expect(ids[0] != ids[1])
  }

  @Test("a fixture reads its seed once, even if the file changes later")
  func once() throws {
    _ = try fixture()
    try FileManager.default.removeItem(at: url("library.json"))
    #expect(try notes(fixture()) == ["Hello in Swift: [\"News\", \"Tips\"]"])
  }

  @Test("concurrent tests each get their own store of a fixture")
  func concurrency() async throws {
    let fixture = SeedFixture(Seeder(.bundle(bundle, "library.json")), model: Self.model)
    try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<40 {
        group.addTask {
          let container = try fixture.container()
          try change(container) { context in
            try object("Note", in: context).setValue("Note \(number)", forKey: "title")
          }
          return try notes(container)
        }
      }
      var all: [String] = []
      for try await found in group { all += found }
      #expect(Set(all) == Set((0..<40).map { "Note \($0) in Swift: [\"News\", \"Tips\"]" }))
    }
  }

  @Test("a fixture can copy a store file, which remains unchanged")
  func shippedStore() throws {
    let file = url("shipped.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    )
    try Seeder(.bundle(bundle, "library.json")).runAndWait(in: coordinator)
    try coordinator.remove(store)
    let before = try Data(contentsOf: file)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    for _ in 0..<2 {
      let container = try fixture("shipped.sqlite")
      #expect(try notes(container) == ["Hello in Swift: [\"News\", \"Tips\"]"])
      try change(container) { context in context.delete(try object("Category", in: context)) }
      #expect(try notes(container) == ["Hello in -: [\"News\", \"Tips\"]"])
    }
    #expect(try Data(contentsOf: file) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == names)
  }

  @Test("a fixture from a store of another model throws an error that names the file")
  func foreignStore() throws {
    let file = url("foreign.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.things(hasComposite: false))
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file)
    let error = try #require(throws: SeedError.self) { try fixture("foreign") }
    #expect(error.code == .storeFailed)
    #expect(error.position?.file == file.path)
  }

  @Test("a fixture's copies include the ledger of seeds")
  func ledger() throws {
    let container = try fixture("library.json")
    let report = try Seeder(.bundle(bundle, "library.json")).runAndWait(
      in: container.persistentStoreCoordinator
    )
    #expect(report.total.skipped == 4)
    #expect(try notes(container).count == 1)
  }

  @Test("a fixture ignores a policy's flag that would skip the seed")
  func flags() throws {
    let suite = "fixture-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set(true, forKey: "done")
    _ = defaults.synchronize()
    defer { defaults.removePersistentDomain(forName: suite) }
    let policy = SeedPolicy.oncePerFlag(key: "done", suite: suite)
    let seeder = Seeder(.bundle(bundle, "library.json"), policy: policy)
    #expect(try notes(SeedFixture(seeder, model: Self.model).container()).count == 1)
  }

  @Test("a wrong fixture throws its error each time, until the seed is corrected")
  func brokenSeed() throws {
    let fixture = SeedFixture(Seeder(.bundle(bundle, "library.json")), model: Self.model)
    try folder.write("library.json", "{\"notes\": [{\"titel\": \"Hello\"}]}")
    for _ in 0..<2 {
      let error = try #require(throws: SeedError.self) { try fixture.container() }
      #expect(error.description.hasPrefix("library.json:1: Note record 1, key \"titel\""))
    }
    try folder.write("library.json", "{\"notes\": [{\"title\": \"Mended\"}]}")
    #expect(try notes(fixture.container()) == ["Mended in -: []"])
  }

  @Test("a stack that loads its container finds the fixture's store open")
  func loading() throws {
    let container = try fixture()
    var loaded: [NSPersistentStoreDescription] = []
    container.loadPersistentStores { description, error in
      #expect(error == nil)
      loaded.append(description)
    }
    let stores = container.persistentStoreCoordinator.persistentStores
    #expect(loaded.map(\.url) == stores.map(\.url))
    #expect(loaded.map(\.type) == [NSInMemoryStoreType])
    #expect(stores.count == 1)
  }

  @Test("the caller's own coordinator gets the fixture's store, unless it has a store or another model")
  func ownCoordinator() throws {
    let fixture = SeedFixture(Seeder(.bundle(bundle, "library.json")), model: Self.model)
    let container = NSPersistentContainer(name: "Own", managedObjectModel: Self.model)
    try fixture.add(to: container.persistentStoreCoordinator)
    #expect(try notes(container).count == 1)
    let second = try #require(throws: SeedError.self) {
      try fixture.add(to: container.persistentStoreCoordinator)
    }
    #expect(second.code == .noStore)
    #expect(second.description.contains("has a store already"))
    let stranger = NSPersistentStoreCoordinator(managedObjectModel: TestModel.notes())
    let other = try #require(throws: SeedError.self) { try fixture.add(to: stranger) }
    #expect(other.description.contains("another object than the fixture's"))
    #expect(stranger.persistentStores.isEmpty)
  }

  @Test("a coordinator that had stores before gets a fixture's store with references of its own")
  func laterStore() throws {
    let container = NSPersistentContainer(name: "Own", managedObjectModel: Self.model)
    let coordinator = container.persistentStoreCoordinator
    let first = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType,
      configurationName: nil,
      at: nil
    )
    try coordinator.remove(first)
    try SeedFixture(Seeder(.bundle(bundle, "library.json")), model: Self.model).add(to: coordinator)
    #expect(try notes(container) == ["Hello in Swift: [\"News\", \"Tips\"]"])
    try change(container) { context in context.delete(try object("Category", in: context)) }
    #expect(try notes(container) == ["Hello in -: [\"News\", \"Tips\"]"])
  }

  @Test("a fixture can be a folder, and contains all its seeds")
  func folders() throws {
    try folder.write("all/tags.json", "{\"tags\": [{\"name\": \"Deep\"}]}")
    try folder.write("all/notes.json", "{\"notes\": [{\"title\": \"One\", \"tags\": [\"Deep\"]}]}")
    #expect(try notes(fixture("all")) == ["One in -: [\"Deep\"]"])
  }

  @Test(
    "a fixture's name without a file, or with several files, is an error that says where the search looked"
  )
  func names() throws {
    let missing = try #require(throws: SeedError.self) { try fixture("libary") }
    #expect(missing.code == .unreadableFile)
    #expect(missing.description.contains(folder.url.path))
    try folder.write("library.yaml", "notes:\n- title: Other\n")
    let several = try #require(throws: SeedError.self) { try fixture("library") }
    #expect(several.description.contains("library.json"))
    #expect(several.description.contains("library.yaml"))
    #expect(try notes(fixture("library.yaml")) == ["Other in -: []"])
  }

  @Test("without a bundle, a fixture is searched for in the resources of all targets of the program")
  func noBundle() throws {
    let error = try #require(throws: SeedError.self) {
      try Seeder.fixture("no-such-fixture", model: Self.model)
    }
    #expect(error.description.contains(Bundle.main.bundleURL.path))
  }
}
