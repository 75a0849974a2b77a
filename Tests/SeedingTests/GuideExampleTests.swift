import CoreData
import Foundation
import Seeding
import Synchronization
import TestModels
import TestSupport
import Testing

/// A list that is drawn anew when its notes change.
final class NoteList: NSObject, NSFetchedResultsControllerDelegate {
  private let draw: () -> Void

  init(draw: @escaping () -> Void) { self.draw = draw }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    draw()
  }
}

/// The Swift that the guides quote.
@Suite("The guides' examples")
@MainActor
struct GuideExampleTests {
  private let container = NSPersistentContainer(name: "Notes", managedObjectModel: TestModel.notes())
  private let bundle: Bundle
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write(
      "seed.json",
      """
      {"tags": [{"name": "Tips"}], "categories": [{"name": "Swift"}],
       "notes": [{"title": "Hello", "category": "Swift", "tags": ["Tips"]}]}
      """
    )
    try folder.write("seed.nl.json", "{\"notes\": [{\"title\": \"Hallo\"}]}")
    try folder.write("seeds/tags.json", "{\"tags\": [{\"name\": \"Tips\"}]}")
    bundle = try #require(Bundle(url: folder.url))
    let store = folder.url.appendingPathComponent("Library/Notes.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
  }

  private func load() {
    container.loadPersistentStores { _, error in #expect(error == nil) }
  }

  private func titles() throws -> [String] {
    try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      .compactMap { $0.value(forKey: "title") as? String }
  }

  @Test("the guide's example of a seed in a file works")
  func file() async throws {
    load()
    let report = try await Seeder(.bundle(bundle, "seed.json")).run(in: container)
    #expect(report.entities["Note"]?.created == 1)
    #expect(try titles() == ["Hello"])
  }

  @Test("the guide's example of an operation in the background works")
  func operation() async throws {
    load()
    let queue = OperationQueue()
    let seeding = SeedOperation(with: container.viewContext, seed: .bundle(bundle, "seed.json")) { isSeeded in
      print(isSeeded ? "the store has the seed" : "the store is as it was")
    }
    queue.addOperation(seeding)
    await withCheckedContinuation { finished in queue.addBarrierBlock { finished.resume() } }
    #expect(try seeding.result?.get().total.created == 3)
    #expect(try titles() == ["Hello"])
  }

  @Test("the guide's example of a container whose view context merges the seeded objects works")
  func background() async throws {
    load()
    container.viewContext.automaticallyMergesChangesFromParent = true
    let report = try await Seeder(.bundle(bundle, "seed.json")).run(in: container)
    #expect(report.total.created == 3)
    #expect(try titles() == ["Hello"])
  }

  @Test("the guide's example of progress works")
  func progress() async throws {
    load()
    let progress = Progress(totalUnitCount: 0)
    try await Seeder(.bundle(bundle, "seed.json")).run(in: container, progress: progress)
    #expect(progress.fractionCompleted == 1)
  }

  @Test("the guide's example of a list that updates itself after seeding works", .timeLimit(.minutes(10)))
  func list() async throws {
    load()
    container.viewContext.automaticallyMergesChangesFromParent = true
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let results = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: container.viewContext,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    let list = NoteList { change.yield() }
    results.delegate = list
    try results.performFetch()
    #expect(results.fetchedObjects?.isEmpty == true)

    let seeding = SeedingState()
    try await Seeder(.bundle(bundle, "seed.json")).run(in: container, state: seeding)
    for await _ in changes where results.fetchedObjects?.isEmpty == false { break }
    #expect(results.fetchedObjects?.compactMap { $0.value(forKey: "title") as? String } == ["Hello"])
    #expect(seeding.isDone)
  }

  @Test("the guide's example of a text for each state of a seeding works")
  func words() async throws {
    load()
    let seeding = SeedingState()
    #expect(Self.words(for: seeding) == "")
    try await Seeder(.bundle(bundle, "seed.json")).run(in: container, state: seeding)
    #expect(Self.words(for: seeding) == "3 objects")
  }

  private static func words(for seeding: SeedingState) -> String {
    switch seeding.value {
    case .idle: ""
    case .running(let fraction, let phase): "\(phase.rawValue), \(Int(fraction * 100)) %"
    case .done(let report): "\(report.total.created) objects"
    case .failed(let error): "\(error)"
    }
  }

  @Test("the guide's example of code that runs once works")
  func codedStep() async throws {
    load()
    let plan = SeedPlan(
      .init("notes", .bundle(bundle, "seed.json")),
      .init("shout", after: ["notes"]) { context in
        for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
          note.setValue((note.value(forKey: "title") as? String)?.uppercased(), forKey: "title")
        }
      }
    )
    try await plan.run(in: container)
    #expect(try titles() == ["HELLO"])
  }

  @Test("the guide's example of a flag in the user defaults works")
  func flag() async throws {
    load()
    let suite = "GuideExampleTests-\(UUID().uuidString)"
    defer { UserDefaults().removePersistentDomain(forName: suite) }
    let policy = SeedPolicy.oncePerFlag(key: "hasHedgeNotes", suite: suite)
    try await Seeder(.bundle(bundle, "seed.json"), policy: policy).run(in: container)
    #expect(UserDefaults(suiteName: suite)?.bool(forKey: "hasHedgeNotes") == true)
  }

  @Test("the guide's example of a reset store works")
  func startOver() async throws {
    load()
    try await Seeder(.bundle(bundle, "seeds")).run(in: container)
    let plan = SeedPlan(.init("notes", .bundle(bundle, "seed.json")))
    try await container.resetStores(seeding: plan)
    #expect(try titles() == ["Hello"])
  }

  @Test("the guide's example of a seed in the program's source, with a model and a store in code, works")
  func code() throws {
    let (text, number) = (NSAttributeType.stringAttributeType, NSAttributeType.integer64AttributeType)
    let city = makeEntity(
      "City",
      makeAttribute("name", text),
      makeAttribute("country", text),
      makeAttribute("inhabitants", number)
    )
    let neighborhood = makeEntity(
      "Neighborhood",
      makeAttribute("name", text),
      makeAttribute("inhabitants", number)
    )
    relate(city, "neighborhoods", isToMany: true, neighborhood, "city", isToMany: false)
    let model = makeModel([city, neighborhood]) { _ in }
    let coordinator = try TestStore(.inMemory, model).coordinator
    let json = """
      {
        "cities": [{"name": "Rotterdam", "country": "Netherlands", "inhabitants": 655000}],
        "neighborhoods": [
          {"name": "Kralingen", "inhabitants": 51000, "city": "Rotterdam"},
          {"name": "Delfshaven", "inhabitants": 76000, "city": "Rotterdam"}
        ]
      }
      """
    let report = try Seeder(.data(Data(json.utf8), name: "cities.json")).runAndWait(in: coordinator)
    #expect(report.total.created == 3)
  }

  @Test("the guide's example of a web service's answer that replaces the previous one works")
  func answer() async throws {
    let attributes = ["login", "country"].map { makeAttribute($0, .stringAttributeType) }
    let user = makeEntity("User", attributes[0], attributes[1])
    user.userInfo = ["identityAttributes": "login"]
    let container = NSPersistentContainer(name: "Users", managedObjectModel: makeModel([user]) { _ in })
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Users.sqlite"))
    ]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    var reports: [SeedReport.Counts] = []
    for names in [["ida", "odo"], ["ida", "una"]] {
      let list = try JSONSerialization.data(withJSONObject: names.map { ["login": $0] })
      let answer = Data("{\"users\": ".utf8) + list + Data("}".utf8)
      let seeder = Seeder(.data(answer, name: "users.json"), profile: .reference)
      let report = try await seeder.run(in: container)
      reports.append(report.total)
    }
    #expect(reports.map(\.created) == [2, 1] && reports.map(\.deleted) == [0, 1])
  }

  @Test("the guide's example of a shipped store with a later version works")
  func shipped() async throws {
    let made = try TestStore(.sqlite)
    try made.seed("{\"notes\": [{\"title\": \"Shipped\"}]}")
    try made.close()
    try FileManager.default.copyItem(
      at: #require(made.url),
      to: folder.url.appendingPathComponent("Notes.sqlite")
    )
    let wasCopied = try ShippedStore.bundle(bundle, "Notes.sqlite").copyIfAbsent(for: container)
    container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
    #expect(try wasCopied && titles() == ["Shipped"])
    let report = try await Seeder(.bundle(bundle, "seeds")).run(in: container)
    #expect(report.total.created == 1)
  }

  @Test("the guide's example of the user's languages works")
  func languages() async throws {
    load()
    let seeder = Seeder(.bundle(bundle, "seed.json", variant: .preferred()))
    #expect(seeder.sources[0].variant.languages == Locale.preferredLanguages)
    let variant = SeedVariant(languages: ["nl-BE", "fr"])
    let report = try await Seeder(.bundle(bundle, "seed.json", variant: variant)).run(in: container)
    #expect(report.total.created == 1)
    #expect(try titles() == ["Hallo"])
  }
}
