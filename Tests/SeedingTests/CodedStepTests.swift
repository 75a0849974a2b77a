import CoreData
import Foundation
import Seeding
import Synchronization
import Testing

@Suite("Steps of a seed plan that are code")
struct CodedStepTests {
  private struct Refusal: Error, CustomStringConvertible {
    let description = "no tags today"
  }

  private static let tags = SeedSource.data(
    Data("{\"tags\": [{\"name\": \"News\"}]}".utf8),
    name: "tags.json"
  )

  /// Adds an exclamation mark to the name of each tag.
  private static func shout(_ context: NSManagedObjectContext) throws {
    for tag in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")) {
      tag.setValue((tag.value(forKey: "name") as? String ?? "") + "!", forKey: "name")
    }
  }

  private static func insertTag(_ name: String, into context: NSManagedObjectContext) {
    NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue(name, forKey: "name")
  }

  @Test(
    "a step that is code runs after the seeds that it depends on, once for each store",
    arguments: TestStore.Kind.allCases
  )
  func once(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let plan = SeedPlan(
      .init("shout", after: ["tags"]) { try Self.shout($0) },
      .init("tags", Self.tags)
    )
    let first = try plan.runAndWait(in: store.coordinator)
    #expect(first.map(\.step) == ["tags", "shout"])
    #expect(first[1].report.seeds.map(\.name) == ["shout"])
    #expect(first[1].report.entities["Tag"]?.updated == 1)
    let second = try plan.runAndWait(in: store.coordinator)
    #expect(second.map { $0.report.seeds.map(\.wasSkipped) } == [[true], [true]])
    #expect(second[1].report.total.skipped == 1)
    #expect(try store.values("Tag", "name") == ["News!"])
  }

  @Test(
    "the report of a code step counts the objects that the code inserts, updates and deletes",
    arguments: TestStore.Kind.allCases
  )
  func counts(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    try store.seed("{\"tags\": [{\"name\": \"A\"}, {\"name\": \"B\"}, {\"name\": \"C\"}]}")
    let plan = SeedPlan(
      .init("work") { context in
        let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        for tag in tags where tag.value(forKey: "name") as? String == "A" { context.delete(tag) }
        for tag in tags where tag.value(forKey: "name") as? String == "B" {
          tag.setValue("b", forKey: "name")
        }
        Self.insertTag("D", into: context)
        Self.insertTag("E", into: context)
      }
    )
    let report = try plan.runAndWait(in: store.coordinator)[0].report
    #expect(report.description == "Tag: 2 created, 1 updated, 1 deleted")
    #expect(try store.values("Tag", "name") == ["C", "D", "E", "b"])
  }

  @Test("a code step that changes nothing does not run again either", arguments: TestStore.Kind.allCases)
  func nothing(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let runs = Mutex(0)
    let plan = SeedPlan(.init("look") { _ in runs.withLock { $0 += 1 } })
    try plan.runAndWait(in: store.coordinator)
    try plan.runAndWait(in: store.coordinator)
    #expect(runs.withLock { $0 } == 1)
  }

  @Test(
    "a code step that throws leaves the store unchanged, and runs again the next time",
    arguments: TestStore.Kind.allCases
  )
  func fails(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let mayWork = Mutex(false)
    let plan = SeedPlan(
      .init("tags", Self.tags),
      .init("more", after: ["tags"]) { context in
        Self.insertTag("Tips", into: context)
        try Self.shout(context)
        guard mayWork.withLock({ $0 }) else { throw Refusal() }
      }
    )
    let error = #expect(throws: SeedError.self) { try plan.runAndWait(in: store.coordinator) }
    #expect(error?.code == .stepFailed && error?.step == "more")
    #expect(error?.description.hasPrefix("step \"more\": its code threw an error: no tags today") == true)
    #expect(error?.underlyingError is Refusal)
    #expect(try store.values("Tag", "name") == ["News"])
    mayWork.withLock { $0 = true }
    try plan.runAndWait(in: store.coordinator)
    #expect(try store.values("Tag", "name") == ["News!", "Tips!"])
  }

  @Test("an invalid object fails the code step, and the error names it", arguments: TestStore.Kind.allCases)
  func invalid(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let plan = SeedPlan(
      .init("nameless") { context in
        _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      }
    )
    let error = #expect(throws: SeedError.self) { try plan.runAndWait(in: store.coordinator) }
    #expect(error?.code == .invalidObject && error?.step == "nameless")
    #expect(error?.description.contains("name") == true, "\(String(describing: error))")
    #expect(try store.count("Tag") == 0)
  }

  @Test("changes that a code step saves itself are kept with all its other changes, or not at all")
  func savesItself() throws {
    let store = try TestStore(.sqlite)
    let fails = Mutex(true)
    let plan = SeedPlan(
      .init("save") { context in
        Self.insertTag("A", into: context)
        try context.save()
        context.reset()
        Self.insertTag("B", into: context)
        if fails.withLock({ $0 }) { throw Refusal() }
      }
    )
    #expect(throws: SeedError.self) { try plan.runAndWait(in: store.coordinator) }
    #expect(try store.count("Tag") == 0)
    fails.withLock { $0 = false }
    try plan.runAndWait(in: store.coordinator)
    #expect(try store.values("Tag", "name") == ["A", "B"])
  }

  @Test("another process with the same store open does not run a code step again")
  func otherProcess() throws {
    let store = try TestStore(.sqlite)
    let url = try #require(store.url)
    let other = try TestStore(opening: url)
    let plan = SeedPlan(.init("tag") { Self.insertTag("A", into: $0) })
    try plan.runAndWait(in: store.coordinator)
    let report = try plan.runAndWait(in: other.coordinator)[0].report
    #expect(report.seeds.map(\.wasSkipped) == [true])
    #expect(try other.count("Tag") == 1)
  }

  @Test("a code step and a seed of the same name have separate entries in the ledger")
  func sameName() throws {
    let store = try TestStore()
    try SeedPlan(.init("tags.json") { Self.insertTag("A", into: $0) }).runAndWait(in: store.coordinator)
    let report = try Seeder(Self.tags, policy: .oncePerName).runAndWait(in: store.coordinator)
    #expect(report.total.created == 1)
    let entries = SeedLedger(metadata: store.metadata).entries
    #expect(entries.map(\.name) == ["step tags.json", "tags.json"])
    #expect(entries[0].contentHash == "code" && entries.map(\.records) == [["Tag": 1], ["Tag": 1]])
    #expect(entries.map(\.order) == [1, 2])
  }

  @Test("a code step runs from a task, reports to a state, and ends with a cancelled progress")
  func task() async throws {
    let store = try TestStore(.sqlite)
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: TestModel.notes())
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: try #require(store.url))]
    container.loadPersistentStores { #expect($1 == nil) }
    let plan = SeedPlan(.init("tag") { Self.insertTag("A", into: $0) })
    let cancelled = Progress(totalUnitCount: 0)
    cancelled.cancel()
    await #expect(throws: SeedError.self) { try await plan.run(in: container, progress: cancelled) }
    let state = SeedingState()
    try await plan.run(in: container, state: state)
    guard case .done(let report) = state.value else {
      Issue.record("the state is \(state.value)")
      return
    }
    #expect(report.entities["Tag"]?.created == 1)
    #expect(try store.count("Tag") == 1)
  }
}
