import CoreData
import DataGeneration
import Foundation
import TestSupport
import Testing

@Suite("Examples of data that are made for a model")
struct DataGenerationExamples {
  private let folder: TestFolder
  private var model: NSManagedObjectModel { ExampleModel.shared }

  /// A context with an empty store.
  private let context: NSManagedObjectContext

  init() throws {
    folder = try TestFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ExampleModel.shared)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  @Test("a plan sets the number of objects, and their links")
  func generator() throws {
    let url = folder.url.appendingPathComponent("notes.jsonl")
    // example: DataGenerator.swift struct DataGenerator
    let plan = GenerationPlan(
      counts: ["Note": 1_000, "Tag": 20],
      fanOuts: ["Note.tags": 3...3],
      seed: 42
    )
    try DataGenerator(model: model, plan: plan).write(to: url)
    // end
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(text.split(separator: "\n").count >= 1_020)
  }

  @Test("the same plan makes the same bytes")
  func plan() throws {
    // example: GenerationPlan.swift struct GenerationPlan
    let plan = GenerationPlan(counts: ["Plant": 3], seed: 7)
    var (first, second) = (Data(), Data())
    try DataGenerator(model: model, plan: plan).write(as: .json) { first += $0 }
    try DataGenerator(model: model, plan: plan).write(as: .json) { second += $0 }
    print(first == second)  // true
    // end
    #expect(first == second && !first.isEmpty)
  }

  @Test("a generator knows how many objects it makes")
  func counts() throws {
    // example: DataGenerator.swift init(model: NSManagedObjectModel
    let generator = try DataGenerator(model: model, plan: GenerationPlan(counts: ["Song": 12]))
    for (entity, count) in generator.counts { print(entity, count) }  // Song 12
    // end
    #expect(generator.counts.map(\.count) == [12])
  }

  @Test("a generator names data that it cannot make")
  func omissions() throws {
    // example: DataGenerator.swift var omissions
    let generator = try DataGenerator(model: model, plan: GenerationPlan(counts: ["Song": 12]))
    for omission in generator.omissions { print(omission.place, omission.problem) }
    // end
    #expect(generator.omissions.isEmpty)
  }

  @Test("an impossible plan has a reason")
  func error() {
    // example: GenerationError.swift struct GenerationError
    do {
      _ = try DataGenerator(model: model, plan: GenerationPlan(counts: ["Nite": 12]))
    } catch {
      print(error.place, error.problem, error.remedy)
    }
    // end
    #expect(throws: GenerationError.self) {
      try DataGenerator(model: model, plan: GenerationPlan(counts: ["Nite": 12]))
    }
  }

  @Test("the extension of a file sets the format")
  func format() {
    // example: GeneratedSeedFormat.swift init?(fileName
    let format = GeneratedSeedFormat(fileName: "notes.jsonl")
    print(format == .jsonLines)  // true
    // end
    #expect(format == .jsonLines && GeneratedSeedFormat(fileName: "notes.txt") == nil)
  }

  @Test("a factory makes objects for a test")
  func factory() throws {
    // example: Factory.swift struct Factory
    let notes = Factory<Note>().with(\.title) { "Note \($0)" }
    let pinned = notes.with(\.isPinned, true).with(\.author, Factory<Author>())
    let made = try pinned.create(3, in: context)
    print(made.map(\.title))  // ["Note 1", "Note 2", "Note 3"]
    // end
    #expect(made.map(\.title) == ["Note 1", "Note 2", "Note 3"])
    #expect(made.allSatisfy { $0.isPinned && $0.author?.name.isEmpty == false })
  }

  @Test("a sequence numbers objects")
  func sequence() throws {
    // example: Factory.swift _ value: @escaping @Sendable
    let notes = Factory<Note>().with(\.title) { "Note \($0)" }
    print(try notes.create(2, in: context).map(\.title))  // ["Note 1", "Note 2"]
    // end
    #expect(context.insertedObjects.count == 2)
  }

  @Test("existing objects are passed last")
  func create() throws {
    // example: Factory.swift func create(_ count
    let ines = try Factory<Author>().with(\.name, "Ines").create(in: context)
    let notes = try Factory<Note>().create(2, in: context) { note, _ in note.author = ines }
    print(notes.map { $0.author?.name ?? "" })  // ["Ines", "Ines"]
    // end
    #expect(notes.map { $0.author?.name ?? "" } == ["Ines", "Ines"])
  }

  @Test("names are of a language")
  func language() throws {
    // example: NameLanguage.swift enum NameLanguage
    let authors = Factory<Author>(language: .japanese)
    print(try authors.create(in: context).name)  // such as 高橋 美咲
    // end
    let name = try authors.create(in: context).name
    #expect(name.split(separator: " ").count == 2 && !name.utf8.allSatisfy { $0 < 0x80 })
  }
}
