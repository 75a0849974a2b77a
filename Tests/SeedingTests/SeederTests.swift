import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Seeding a store")
struct SeederTests {
  @Test(
    "a seed of three entities is imported with all its relationships",
    arguments: TestStore.Kind.allCases
  )
  func wholeSeed(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let report = try Seeder(.file(ExampleSeed.url)).runAndWait(in: store.coordinator)

    #expect(report.description == "Category: 6 created\nNote: 36 created\nTag: 8 created")
    #expect(try store.count("Note") == 36)
    let lines = try store.noteLines()
    #expect(lines.contains("Bramble flowers and fruits at once|Climbers|Edible,Flower,Fruit,Summer"))
    #expect(lines.contains("Lords-and-ladies is warm inside|Herbs|Flower,Poisonous,Spring"))
    #expect(lines.allSatisfy { !$0.contains("|-") && !$0.hasSuffix("|") })
    #expect(try store.values("Category", "colorAsHex").contains("7A8B3C"))
  }

  @Test("seeded objects are in the store after it is reopened")
  func persistence() throws {
    let store = try TestStore(.sqlite)
    try Seeder(.file(ExampleSeed.url)).runAndWait(in: store.coordinator)
    let lines = try store.noteLines()
    try store.close()
    try store.open()
    #expect(try store.noteLines() == lines)
    #expect(try Seeder(.file(ExampleSeed.url)).runAndWait(in: store.coordinator).total.created == 0)
    #expect(try store.count("Note") == 36)
  }

  @Test(
    "a relationship can be set from either end, and can refer to a later record",
    arguments: TestStore.Kind.allCases
  )
  func forward(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    try store.seed(
      """
      {
        "notes": [{"title": "One", "category": "Swift", "tags": "News"}, {"title": "Two"}],
        "categories": [{"name": "Swift"}, {"name": "iOS", "notes": ["Two"]}],
        "tags": [{"name": "News", "notes": []}, {"name": "Weather", "notes": ["One", "Two"]}]
      }
      """
    )
    #expect(try store.noteLines() == ["One|Swift|News,Weather", "Two|iOS|Weather"])
  }

  @Test("a seed can refer to existing objects of the store")
  func present() throws {
    let store = try TestStore()
    try store.seed("{\"tags\": [{\"name\": \"News\"}], \"categories\": [{\"name\": \"Swift\"}]}")
    let report = try store.seed(
      "{\"notes\": [{\"title\": \"One\", \"category\": \"Swift\", \"tags\": [\"News\"]}]}"
    )
    #expect(report.description == "Note: 1 created")
    #expect(try store.noteLines() == ["One|Swift|News"])
  }

  @Test("seeds of one run can refer to each other", arguments: [false, true])
  func several(isReversed: Bool) throws {
    let store = try TestStore()
    let sources: [SeedSource] = [
      .data(Data("{\"tags\": [{\"name\": \"News\"}]}".utf8), name: "tags.json"),
      .data(Data("{\"notes\": [{\"title\": \"One\", \"tags\": [\"News\"]}]}".utf8), name: "notes.json"),
    ]
    let report = try Seeder(isReversed ? sources.reversed() : sources).runAndWait(in: store.coordinator)
    #expect(report.total.created == 2)
    #expect(
      report.seeds.map(\.name) == (isReversed ? ["notes.json", "tags.json"] : ["tags.json", "notes.json"])
    )
    #expect(try store.noteLines() == ["One|-|News"])
  }

  @Test(
    "records with the natural keys of existing objects update them where they differ",
    arguments: TestStore.Kind.allCases
  )
  func upsert(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    try store.seed(
      """
      {"tags": [{"name": "News"}, {"name": "Weather"}],
       "categories": [{"name": "Swift", "colorAsHex": "000000"}, {"name": "iOS", "colorAsHex": "111111"}],
       "notes": [{"title": "One", "contents": "a", "category": "Swift", "tags": ["News"]},
                 {"title": "Two", "contents": "b", "tags": ["News", "Weather"]}]}
      """
    )
    let report = try store.seed(
      """
      {"categories": [{"name": "Swift", "colorAsHex": "FFFFFF"}, {"name": "iOS"}, {"name": "macOS"}],
       "notes": [{"title": "One", "contents": "a", "category": "iOS", "tags": ["News"]},
                 {"title": "Two", "contents": null, "tags": ["Weather", "News"]}]}
      """
    )
    #expect(report.description == "Category: 1 created, 1 updated, 1 unchanged\nNote: 2 updated")
    #expect(try store.noteLines() == ["One|iOS|News", "Two|-|News,Weather"])
    #expect(try store.values("Category", "colorAsHex") == ["-", "111111", "FFFFFF"])
    #expect(try store.values("Note", "contents") == ["-", "a"])
  }

  @Test("a record with unchanged values leaves its object unchanged")
  func unchanged() throws {
    let store = try TestStore()
    try Seeder(.file(ExampleSeed.url)).runAndWait(in: store.coordinator)
    let again = try Seeder(.file(ExampleSeed.url), policy: .always).runAndWait(in: store.coordinator)
    #expect(again.description == "Category: 6 unchanged\nNote: 36 unchanged\nTag: 8 unchanged")
  }

  @Test("a container can be seeded from a task")
  func container() async throws {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: TestModel.notes())
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let report = try await Seeder(.file(ExampleSeed.url)).run(in: container)
    #expect(report.total.created == 50)
    let second = try await Seeder(.file(ExampleSeed.url)).run(in: container)
    #expect(second.total.created == 0)
  }

  @Test("seeding a coordinator without a store throws a clear error")
  func noStore() {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.notes())
    let error = #expect(throws: SeedError.self) {
      try Seeder(.file(ExampleSeed.url)).runAndWait(in: coordinator)
    }
    #expect(error?.code == .noStore)
  }

  @Test("concurrent tasks import a seed once")
  func concurrently() async throws {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: TestModel.notes())
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in #expect(error == nil) }

    let created = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try await Seeder(.file(ExampleSeed.url)).run(in: container).total.created }
      }
      return try await group.reduce(0, +)
    }
    #expect(created == 50)
  }
}
