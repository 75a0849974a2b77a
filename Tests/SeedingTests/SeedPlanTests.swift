import CoreData
import Foundation
import Seeding
import Testing

@Suite("Seed plans")
struct SeedPlanTests {
  private static func data(_ json: String, _ name: String) -> SeedSource {
    .data(Data(json.utf8), name: name)
  }

  private static let tags = data("{\"tags\": [{\"name\": \"News\"}]}", "tags.json")
  private static let notes = data("{\"notes\": [{\"title\": \"A\", \"tags\": [\"News\"]}]}", "notes.json")
  private static let broken = data("{\"notes\": [{\"title\": \"B\", \"tags\": [\"Nws\"]}]}", "broken.json")

  @Test(
    "a plan runs steps after the steps that they depend on, and otherwise in the given order",
    arguments: TestStore.Kind.allCases
  )
  func order(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let plan = SeedPlan(
      .init("notes", Self.notes, after: ["tags"]),
      .init("more", Self.data("{\"tags\": [{\"name\": \"Tips\"}]}", "more.json")),
      .init("tags", Self.tags)
    )
    let reports = try plan.runAndWait(in: store.coordinator)
    #expect(reports.map(\.step) == ["more", "tags", "notes"])
    #expect(reports.map(\.report.total.created) == [1, 1, 1])
    #expect(try store.noteLines() == ["A|-|News"])
  }

  @Test("a plan gives each step its profile or mode, and its policy")
  func settings() throws {
    let store = try TestStore()
    let plan = SeedPlan(
      .init("tags", Self.tags, policy: .always),
      .init("kept", Self.tags, profile: .starter, policy: .always, after: ["tags"])
    )
    try plan.runAndWait(in: store.coordinator)
    let reports = try plan.runAndWait(in: store.coordinator)
    #expect(reports.map(\.report.total.unchanged) == [1, 0])
    #expect(reports.map(\.report.total.skipped) == [0, 1])
  }

  @Test(
    "a plan that failed keeps the earlier steps, names the failed step, and continues there the next time",
    arguments: TestStore.Kind.allCases
  )
  func resumes(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    var plan = SeedPlan(
      .init("tags", Self.tags),
      .init("broken", Self.broken, after: ["tags"]),
      .init("notes", Self.notes, after: ["tags"])
    )
    let error = #expect(throws: SeedError.self) { try plan.runAndWait(in: store.coordinator) }
    #expect(error?.step == "broken")
    #expect(
      error?.description.hasPrefix("step \"broken\": broken.json:1: Note record 1, key \"tags\"") == true
    )
    #expect(try store.count("Tag") == 1)
    #expect(try store.count("Note") == 0)
    plan.steps[1] = .init(
      "broken",
      Self.data("{\"tags\": [{\"name\": \"Tips\"}]}", "broken.json"),
      after: ["tags"]
    )
    let reports = try plan.runAndWait(in: store.coordinator)
    #expect(reports.map(\.report.total.skipped) == [1, 0, 0])
    #expect(reports.map(\.report.total.created) == [0, 1, 1])
  }

  @Test(
    "an invalid plan is an error before anything is read",
    arguments: [
      (
        ["a": ["b"], "b": ["c"], "c": ["a"]],
        "steps of the plan wait for each other: \"a\" after \"b\" after \"c\" after \"a\""
      ),
      (["a": [], "b": ["b"]], "steps of the plan wait for each other: \"b\" after \"b\""),
      (["first": ["fist"]], "the step \"first\" is to come after \"fist\", which is not a step of the plan"),
    ]
  )
  func senseless(dependencies: [String: [String]], problem: String) throws {
    let missing = SeedSource.file(URL(fileURLWithPath: "/missing.json"))
    let steps = dependencies.sorted { $0.key < $1.key }.map {
      SeedPlan.Step($0.key, missing, after: $0.value)
    }
    let error = #expect(throws: SeedError.self) {
      try SeedPlan(steps).runAndWait(in: TestStore().coordinator)
    }
    #expect(error?.code == .wrongPlan && error?.problem == problem, "\(String(describing: error))")
  }

  @Test("a plan with a duplicate name is an error")
  func twice() throws {
    let plan = SeedPlan(.init("tags", Self.tags), .init("tags", Self.notes))
    let error = #expect(throws: SeedError.self) { try plan.runAndWait(in: TestStore().coordinator) }
    #expect(error?.description == "two steps of the plan have the name \"tags\"; give each a name of its own")
  }

  @Test("a plan runs from an app's launch code on the main actor")
  @MainActor func launch() async throws {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: TestModel.notes())
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { #expect($1 == nil) }
    let plan = SeedPlan(.init("notes", Self.notes, after: ["tags"]), .init("tags", Self.tags))
    let reports = try await plan.run(in: container)
    #expect(reports.map(\.step) == ["tags", "notes"])
    let notes = try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
    #expect(notes.map { $0.value(forKey: "title") as? String } == ["A"])
  }

  @Test("a plan reports its progress, and ends when that is cancelled")
  func progress() throws {
    let store = try TestStore()
    let progress = Progress(totalUnitCount: 0)
    let plan = SeedPlan(.init("tags", Self.tags), .init("notes", Self.notes))
    try plan.runAndWait(in: store.coordinator, progress: progress)
    #expect(progress.totalUnitCount == 2 && progress.fractionCompleted == 1)
    let cancelled = Progress(totalUnitCount: 0)
    cancelled.cancel()
    let error = #expect(throws: SeedError.self) {
      try plan.runAndWait(in: store.coordinator, progress: cancelled)
    }
    #expect(error?.code == .cancelled && error?.step == "tags")
  }
}
