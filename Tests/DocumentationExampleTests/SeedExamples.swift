import CoreData
import Foundation
import Seeding
import TestSupport
import Testing

@Suite("Examples of seeds")
struct SeedExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  private func plants() throws -> [String: Int] {
    let context = container.newBackgroundContext()
    let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plant"))
    return Dictionary(
      found.map { ($0.value(forKey: "name") as? String ?? "", $0.value(forKey: "water") as? Int ?? 0) },
      uniquingKeysWith: { $1 }
    )
  }

  private func seed(_ text: String) throws {
    _ = try Seeder(.data(Data(text.utf8), name: "plants.json")).runAndWait(in: coordinator)
  }

  @Test("a seeder imports several seeds that refer to each other")
  func seeder() async throws {
    // example: Seeder.swift struct Seeder
    let seeder = Seeder(.bundle(.module, "plants.json"), .bundle(.module, "beds.csv"))
    let report = try await seeder.run(in: container)
    print(report)
    // end
    #expect(report.total.created == 3)
  }

  @Test("relative dates count from a moment")
  func now() throws {
    // example: Seeder.swift var now
    var seeder = Seeder(.bundle(.module, "demo.json"))
    seeder.now = Date(timeIntervalSince1970: 1_710_633_600)
    // end
    try seeder.runAndWait(in: coordinator)
    let plants = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plant"))
    #expect(
      plants.map { $0.value(forKey: "sownAt") as? Date } == [Date(timeIntervalSince1970: 1_710_028_800)]
    )
  }

  @Test("a profile decides between a seed and its users")
  func profile() async throws {
    try seed(#"{"plants": [{"name": "Thyme", "water": 1}]}"#)
    let user = container.newBackgroundContext()
    for plant in try user.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plant")) {
      plant.setValue(5, forKey: "water")
    }
    try user.save()
    // example: SeedProfile.swift enum SeedProfile
    let seeder = Seeder(.bundle(.module, "plants.json"), profile: .sync)
    let report = try await seeder.run(in: container)
    print(report)  // Plant: 1 created, 1 unchanged: what a user has changed stays
    // end
    #expect(report.description == "Plant: 1 created, 1 unchanged")
    #expect(try plants() == ["Thyme": 5, "Sage": 1])
  }

  @Test("a mode decides about existing objects")
  func mode() async throws {
    try seed(#"{"plants": [{"name": "Thyme", "water": 5}]}"#)
    // example: SeedMode.swift enum SeedMode
    let seeder = Seeder(.bundle(.module, "plants.json"), mode: .createOnly)
    let report = try await seeder.run(in: container)
    print(report.total.created, report.total.skipped)  // 1 1: what a user has changed stays
    // end
    #expect(try plants() == ["Thyme": 5, "Sage": 1])
    #expect(report.total.created == 1 && report.total.skipped == 1)
  }

  @Test("a seed is imported once unless the policy says otherwise")
  func policy() async throws {
    // example: SeedPolicy.swift struct SeedPolicy
    let once = Seeder(.bundle(.module, "plants.json"), policy: .oncePerContent)
    try await once.run(in: container)
    let second = try await once.run(in: container)
    print(second.seeds.map(\.wasSkipped))  // [true]
    // end
    #expect(second.seeds.map(\.wasSkipped) == [true])
  }

  @Test("a seed can be imported each time")
  func always() async throws {
    // example: SeedPolicy.swift static let always
    let seeder = Seeder(.bundle(.module, "plants.json"), policy: .always)
    try await seeder.run(in: container)
    let second = try await seeder.run(in: container)
    print(second)  // Plant: 2 unchanged
    // end
    #expect(second.description == "Plant: 2 unchanged")
  }

  @Test("records with errors are left out")
  func onFailure() async throws {
    // example: RecordFailures.swift enum SeedFailureHandling
    let plants = Data(#"{"plants": [{"name": "Thyme", "water": "much"}, {"name": "Sage"}]}"#.utf8)
    let seeder = Seeder(.data(plants, name: "plants.json"), onFailure: .skipRecord)
    let report = try await seeder.run(in: container)
    for failure in report.failures { print(failure) }
    // end
    #expect(report.total.created == 1 && report.failures.map(\.code) == [.wrongType])
  }

  @Test("objects without a record are deleted")
  func pruning() async throws {
    try seed(#"{"plants": [{"name": "Thyme"}, {"name": "Basil"}]}"#)
    // example: Seeder.swift var pruning
    var seeder = Seeder(.bundle(.module, "plants.json"))
    seeder.pruning = .all
    let report = try await seeder.run(in: container)
    print(report.total.deleted)  // 1
    // end
    #expect(report.total.deleted == 1)
    #expect(try plants().keys.sorted() == ["Sage", "Thyme"])
  }

  @Test("some values are given to new objects alone")
  func createOnly() async throws {
    try seed(#"{"plants": [{"name": "Thyme", "water": 5}]}"#)
    // example: Seeder.swift var createOnly
    var seeder = Seeder(.bundle(.module, "plants.json"))
    seeder.createOnly = ["Plant": ["water"]]
    try await seeder.run(in: container)
    // end
    #expect(try plants() == ["Thyme": 5, "Sage": 1])
  }

  @Test("a progress reports how far a run is")
  func progress() async throws {
    // example: Seeder.swift func run(in container
    let progress = Progress(totalUnitCount: 0)
    let report = try await Seeder(.bundle(.module, "plants.json")).run(in: container, progress: progress)
    print(progress.fractionCompleted, report.total.created)  // 1.0 2
    // end
    #expect(progress.fractionCompleted == 1 && report.total.created == 2)
  }

  @Test("a state shows when a run is done")
  func state() async throws {
    // example: SeedingState.swift class SeedingState
    let seeding = SeedingState()
    let count = Task {
      for await value in seeding {
        if case .done(let report) = value { return report.total.created }
      }
      return 0
    }
    try await Seeder(.bundle(.module, "plants.json")).run(in: container, state: seeding)
    print(seeding.isDone, await count.value)  // true 2
    // end
    #expect(seeding.isDone)
    #expect(await count.value == 2)
  }

  @Test("a run can be waited for")
  func runAndWait() throws {
    // example: Seeder.swift func runAndWait(in coordinator
    let seeder = Seeder(.bundle(.module, "plants.json"))
    let report = try seeder.runAndWait(in: container.persistentStoreCoordinator)
    // end
    #expect(report.entities["Plant"]?.created == 2)
  }

  @Test("a context's own changes are saved with a seed")
  func runWithContext() throws {
    // example: Seeder.swift func runAndWait(with context
    let background = container.newBackgroundContext()
    try Seeder(.bundle(.module, "plants.json")).runAndWait(with: background)
    print(background.hasChanges)  // false: all is saved
    // end
    #expect(try plants().count == 2 && !background.hasChanges)
  }

  @Test("an error names the place and the remedy")
  func error() async throws {
    let source = SeedSource.data(Data(#"{"plants": [{"nam": "Thyme"}]}"#.utf8), name: "plants.json")
    // example: SeedError.swift struct SeedError
    do {
      try await Seeder(source).run(in: container)
    } catch let error as SeedError where error.code == .unknownKey {
      print(error.position?.record ?? 0, error.problem, error.remedy)
    }
    // end
    let error = await #expect(throws: SeedError.self) { try await Seeder(source).run(in: container) }
    #expect(error?.position?.record == 1)
  }

  @Test("a report counts the changes of a run")
  func report() async throws {
    // example: SeedReport.swift struct SeedReport
    let report = try await Seeder(.bundle(.module, "garden.json")).run(in: container)
    for (entity, counts) in report.entities.sorted(by: { $0.key < $1.key }) {
      print(entity, counts.created, counts.updated)
    }
    // end
    #expect(report.entities["Bed"]?.created == 2 && report.entities["Plant"]?.created == 2)
  }

  @Test("a preview changes nothing")
  func preview() throws {
    // example: SeedPreview.swift func preview(in
    let preview = try Seeder(.bundle(.module, "plants.json")).preview(in: coordinator)
    print(preview)
    // + Plant "Sage"
    // + Plant "Thyme"
    // end
    #expect(preview.description == "+ Plant \"Sage\"\n+ Plant \"Thyme\"")
    #expect(try plants().isEmpty)
  }

  @Test("a preview names the values that would change")
  func previewOfValues() throws {
    try seed(#"{"plants": [{"name": "Thyme", "water": 5}, {"name": "Sage", "water": 1}]}"#)
    // example: SeedPreview.swift struct SeedPreview
    let preview = try Seeder(.bundle(.module, "plants.json")).preview(in: coordinator)
    for change in preview.changes where change.kind == .updated {
      for value in change.values { print(change.name, value.key, value.present, value.new) }
    }
    // end
    #expect(preview.changes.map(\.values.first?.key) == ["water"])
  }

  @Test("a plan has steps in their order")
  func plan() async throws {
    // example: SeedPlan.swift struct SeedPlan
    let plan = SeedPlan(
      .init("basics", .bundle(.module, "basics"), policy: .oncePerName),
      .init("demo", .bundle(.module, "demo.json"), profile: .starter, after: ["basics"])
    )
    try await plan.run(in: container)
    // end
    #expect(try plants() == ["Basil": 3])
  }

  @Test("a step of code runs once, after the seeds that it changes")
  func codedStep() async throws {
    // example: SeedPlan.swift init(_ name: String, after dependencies
    let plan = SeedPlan(
      .init("plants", .bundle(.module, "plants.json")),
      .init("double the water", after: ["plants"]) { context in
        for plant in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plant")) {
          plant.setValue((plant.value(forKey: "water") as? Int ?? 0) * 2, forKey: "water")
        }
      }
    )
    try await plan.run(in: container)
    // end
    try await plan.run(in: container)
    #expect(try plants() == ["Thyme": 2, "Sage": 2])
  }

  @Test("a store starts over")
  @MainActor func resetStores() async throws {
    try seed(#"{"plants": [{"name": "Basil"}]}"#)
    // example: StoreReset.swift func resetStores
    let plan = SeedPlan(.init("plants", .bundle(.module, "plants.json")))
    try await container.resetStores(seeding: plan)
    // end
    #expect(try plants() == ["Thyme": 1, "Sage": 1])
  }

  @Test("a plan names the step that failed")
  func planReport() async throws {
    // example: SeedPlan.swift func run(in container
    let plan = SeedPlan(.init("plants", .bundle(.module, "plants.json")))
    for step in try await plan.run(in: container) {
      print("\(step.step): \(step.report.total)")  // plants: 2 created
    }
    // end
    #expect(try plants().count == 2)
  }

  @Test("limits restrict how much a seed may use")
  func limits() async throws {
    let url = try notebook.folder.write("plants.json", #"{"plants": [{"name": "Thyme"}]}"#)
    // example: SeedLimits.swift struct SeedLimits
    var source = SeedSource.file(url)
    source.limits.largestRecord = 256 << 20
    try await Seeder(source).run(in: container)
    // end
    #expect(try plants().count == 1)
  }

  @Test("an operation seeds in the background")
  func operation() async throws {
    // example: SeedOperation.swift class SeedOperation
    let seeding = SeedOperation(with: context, seed: .bundle(.module, "plants.json")) { isSeeded in
      if !isSeeded { print("the garden stays empty") }
    }
    let queue = OperationQueue()
    queue.addOperation(seeding)
    // end
    await withCheckedContinuation { finished in queue.addBarrierBlock { finished.resume() } }
    #expect(try seeding.result?.get().total.created == 2)
  }

  @Test("a source is a resource in a language, or bytes")
  func source() async throws {
    // example: SeedSource.swift struct SeedSource
    var plants = SeedSource.bundle(.module, "plants.csv", variant: SeedVariant(languages: ["de"]))
    plants.name = "plants"
    let beds = Data(#"{"beds": [{"name": "by the wall", "plants": ["Thymian"]}]}"#.utf8)
    try await Seeder(plants, .data(beds, name: "beds.json")).run(in: container)
    // end
    #expect(try self.plants().keys.sorted() == ["Salbei", "Thymian"])
  }

  @Test("a source is a resource")
  func bundleSource() async throws {
    // example: SeedSource.swift static func bundle(
    let garden = SeedSource.bundle(.module, "garden.json")
    try await Seeder(garden).run(in: container)
    // end
    #expect(try plants().count == 2)
  }

  @Test("a source is a file, whose name is the entity's")
  func fileSource() async throws {
    try notebook.folder.write("plants.csv", "name,water\nThyme,1\n")
    // example: SeedSource.swift static func file(
    let plants = SeedSource.file(folder.appendingPathComponent("plants.csv"))
    try await Seeder(plants).run(in: container)
    // end
    #expect(try self.plants() == ["Thyme": 1])
  }

  @Test("a source is bytes with a name")
  func dataSource() async throws {
    // example: SeedSource.swift static func data(
    let text = #"{"plants": [{"name": "Thyme", "water": 1}]}"#
    try await Seeder(.data(Data(text.utf8), name: "plants.json")).run(in: container)
    // end
    #expect(try plants() == ["Thyme": 1])
  }

  @Test("a source is a stream")
  func stream() throws {
    let url = try notebook.folder.write("seed.json", #"{"plants": [{"name": "Thyme"}]}"#)
    // example: SeedSource.swift static func stream(
    let handle = try FileHandle(forReadingFrom: url)  // or .standardInput
    let source = SeedSource.stream(handle, name: "seed.json")
    try Seeder(source).runAndWait(in: container.persistentStoreCoordinator)
    // end
    #expect(try plants().count == 1)
  }

  @Test("a variant is one of an environment and a language")
  func variant() async throws {
    try notebook.folder.write("seed.json", #"{"plants": [{"name": "Thyme"}]}"#)
    try notebook.folder.write("seed.demo.json", #"{"plants": [{"name": "Basil"}]}"#)
    let url = folder.appendingPathComponent("seed.json")
    // example: SeedVariant.swift struct SeedVariant
    let demo = SeedSource.file(url, variant: SeedVariant(environment: "demo", languages: ["nl", "en"]))
    try await Seeder(demo).run(in: container)  // seed.demo.json, where there is one
    // end
    #expect(try plants().keys.sorted() == ["Basil"])
  }

  @Test("an environment may have no file if that is allowed")
  func optionalEnvironment() async throws {
    try notebook.folder.write("seed.json", #"{"plants": [{"name": "Thyme"}]}"#)
    let url = folder.appendingPathComponent("seed.json")
    // example: SeedVariant.swift var requiresEnvironment
    var variant = SeedVariant(environment: "demo")
    variant.requiresEnvironment = false  // the general files do, where there are no others
    // end
    try await Seeder(.file(url, variant: variant)).run(in: container)
    #expect(try plants().keys.sorted() == ["Thyme"])
  }

  @Test("an application ships its first store")
  func shippedStore() throws {
    // example: ShippedStore.swift struct ShippedStore
    let container = NSPersistentContainer(name: "Notes")
    try ShippedStore.bundle(.module, "Notes.sqlite").copyIfAbsent(for: container)
    container.loadPersistentStores { _, error in
      if let error { fatalError("the notes cannot be opened: \(error)") }
    }
    // end
    let notes = try container.newBackgroundContext().fetch(Note.fetchRequest())
    #expect(notes.map(\.title) == ["Begin a garden"])
  }

  @Test("a shipped store replaces nothing")
  func copyIfAbsent() throws {
    // example: ShippedStore.swift func copyIfAbsent(to url
    let place = folder.appendingPathComponent("Library/Notes.sqlite")
    let store = ShippedStore.bundle(.module, "Notes.sqlite")
    print(try store.copyIfAbsent(to: place))  // true
    print(try store.copyIfAbsent(to: place))  // false: it is there
    // end
    #expect(try !store.copyIfAbsent(to: place))
  }
}
