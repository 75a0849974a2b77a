import CoreData
import Foundation
import Seeding
import Testing

@Suite("Previews of seeding runs")
struct SeedPreviewTests {
  private static let seed = """
    {"tags": [{"name": "News"}, {"name": "Tips"}], "categories": [{"name": "Swift", "colorAsHex": "000000"}],
     "notes": [{"title": "One", "contents": "a", "category": "Swift", "tags": ["News"]}]}
    """

  private func seeder(_ json: String, mode: SeedMode = .upsert, pruning: SeedPruning = .none) -> Seeder {
    var seeder = Seeder(.data(Data(json.utf8), name: "new.json"), mode: mode)
    seeder.pruning = pruning
    return seeder
  }

  private func preview(
    _ store: TestStore,
    _ json: String,
    mode: SeedMode = .upsert,
    pruning: SeedPruning = .none
  ) throws -> SeedPreview {
    try seeder(json, mode: mode, pruning: pruning).preview(in: store.coordinator)
  }

  @Test(
    "a preview for a new store lists everything that the seed contains",
    arguments: TestStore.Kind.allCases
  )
  func empty(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let preview = try preview(store, Self.seed)
    #expect(preview.description == "+ Category \"Swift\"\n+ Note \"One\"\n+ Tag \"News\"\n+ Tag \"Tips\"")
    #expect(preview.report.description == "Category: 1 created\nNote: 1 created\nTag: 2 created")
    #expect(try store.contents().isEmpty)
    #expect(store.metadata["PerennialSeeds"] == nil)
  }

  @Test("a preview names the differences, and changes nothing", arguments: TestStore.Kind.allCases)
  func differences(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    try store.seed(Self.seed)
    let before = try store.contents()
    let changed = """
      {"tags": [{"name": "News"}, {"name": "Weather"}],
       "notes": [{"title": "One", "contents": null, "category": null, "tags": ["Weather", "News"]}]}
      """
    let difference =
      "~ Note \"One\": category \"Swift\" -> nothing; contents \"a\" -> nothing; tags [\"News\"] -> "
      + "[\"News\", \"Weather\"]"
    #expect(try preview(store, changed).description == "\(difference)\n+ Tag \"Weather\"")
    #expect(
      try preview(store, changed, pruning: .all).description
        == "\(difference)\n- Tag \"Tips\"\n+ Tag \"Weather\""
    )
    #expect(try preview(store, Self.seed, pruning: .all).changes.isEmpty)
    #expect(try store.contents() == before)
  }

  @Test(
    "a preview names each object that would be deleted, even if several have one name",
    arguments: TestStore.Kind.allCases
  )
  func namesakes(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    for _ in 0..<2 { try store.insert("Tag", ["name": "Twice"]) }
    let preview = try preview(store, "{\"tags\": [{\"name\": \"News\"}]}", pruning: .all)
    #expect(preview.description == "+ Tag \"News\"\n- Tag \"Twice\"\n- Tag \"Twice\"")
    #expect(preview.report.total.deleted == 2)
  }

  @Test("a preview refuses what a run would refuse")
  func errors() throws {
    let store = try TestStore()
    for json in ["{\"tags\": [{}]}", "{\"notes\": [{\"title\": \"A\", \"category\": \"None\"}]}"] {
      let expected = #expect(throws: SeedError.self) { try store.seed(json, name: "new.json") }
      let error = #expect(throws: SeedError.self) { try preview(store, json) }
      #expect(error?.description == expected?.description)
    }
  }

  @Test(
    "a preview shows the order in the store and the order after the run",
    arguments: TestStore.Kind.allCases
  )
  func order(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.library())
    let seed = { (books: String) in
      "{\"books\": [{\"title\": \"a\"}, {\"title\": \"b\"}], \"shelves\": [{\"name\": \"1\", \"books\": [\(books)]}]}"
    }
    try store.seed(seed("\"a\", \"b\""))
    let preview = try preview(store, seed("\"b\", \"a\""))
    #expect(preview.description == "~ Shelf \"1\": books [\"a\", \"b\"] -> [\"b\", \"a\"]")
  }

  private static let settings: [(mode: SeedMode, pruning: SeedPruning)] =
    SeedMode.allCases.map { (mode: $0, pruning: .none) } + [(mode: .upsert, pruning: .all)]

  @Test(
    "a preview counts the same as the run, including skipped objects and cascaded deletions",
    arguments: TestStore.Kind.allCases,
    settings
  )
  func counts(kind: TestStore.Kind, settings: (mode: SeedMode, pruning: SeedPruning)) throws {
    let model = TestModel.notes { entities in
      entities["Category"]?.relationshipsByName["notes"]?.deleteRule = .cascadeDeleteRule
    }
    let store = try TestStore(kind, model)
    try store.seed(Self.seed)
    let changed = """
      {"tags": [{"name": "News"}, {"name": "New"}], "categories": [{"name": "Other", "colorAsHex": "FFFFFF"}]}
      """
    let (mode, pruning) = settings
    let preview = try preview(store, changed, mode: mode, pruning: pruning)
    let run = try seeder(changed, mode: mode, pruning: pruning).runAndWait(in: store.coordinator)
    #expect(preview.report == run)
    let deleted = preview.changes.filter { $0.kind == .deleted }.count
    #expect(deleted == run.total.deleted)
  }

  @Test(
    "a preview ends with the run's error if the run would delete a record's object with another one",
    arguments: TestStore.Kind.allCases
  )
  func prunedAlong(kind: TestStore.Kind) throws {
    let model = TestModel.notes { entities in
      entities["Category"]?.relationshipsByName["notes"]?.deleteRule = .cascadeDeleteRule
    }
    let store = try TestStore(kind, model)
    try store.seed(Self.seed)
    let changed = """
      {"categories": [{"name": "Other", "colorAsHex": "FFFFFF"}], "notes": [{"title": "One", "contents": "b"}]}
      """
    let previewed = #expect(throws: SeedError.self) { _ = try preview(store, changed, pruning: .all) }
    let run = #expect(throws: SeedError.self) {
      _ = try seeder(changed, pruning: .all).runAndWait(in: store.coordinator)
    }
    #expect(previewed?.description == run?.description)
    #expect(run?.description.hasPrefix("new.json:1: Note record 1: ") == true)
    #expect(try store.count("Note") == 1)
  }

  @Test(
    "a comparison of a store with seeds names surplus objects, and not the effects of deleting them",
    arguments: TestStore.Kind.allCases
  )
  func surplus(kind: TestStore.Kind) throws {
    let model = TestModel.notes { entities in
      entities["Category"]?.relationshipsByName["notes"]?.deleteRule = .cascadeDeleteRule
    }
    let store = try TestStore(kind, model)
    try store.seed(Self.seed)
    func difference(_ json: String) throws -> String {
      try Seeder(.data(Data(json.utf8), name: "new.json")).difference(in: store.coordinator).description
    }
    let before = try store.contents()
    let same = try difference(Self.seed)
    #expect(same.isEmpty)
    let other = try difference(
      """
      {"categories": [{"name": "Other", "colorAsHex": "FFFFFF"}],
       "notes": [{"title": "One", "contents": "a", "category": "Swift", "tags": ["News"]}]}
      """
    )
    #expect(other == "+ Category \"Other\"\n- Category \"Swift\"")
    let empty = try difference("{\"tags\": []}")
    #expect(empty == "- Tag \"News\"\n- Tag \"Tips\"")
    #expect(try store.contents() == before)
  }

  @Test(
    "a preview of create-only properties does not list existing objects",
    arguments: TestStore.Kind.allCases
  )
  func createOnly(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    try store.seed(Self.seed)
    let changed = """
      {"tags": [{"name": "News", "notes": []}, {"name": "New"}],
       "notes": [{"title": "One", "contents": "b", "category": null, "tags": []}]}
      """
    let preview = try preview(store, changed, mode: .createOnly)
    #expect(preview.description == "+ Tag \"New\"")
    #expect(preview.report.description == "Note: 1 skipped\nTag: 1 created, 1 skipped")
  }

  @Test(
    "a comparison shows objects that the seeds do not contain, even if records refer to them",
    arguments: TestStore.Kind.allCases
  )
  func comparison(kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let seed = { (tags: String) in
      "{\"tags\": [\(tags)], \"notes\": [{\"title\": \"1\", \"tags\": [\"a\", \"b\"]}]}"
    }
    try store.seed(seed("{\"name\": \"a\"}, {\"name\": \"b\"}"))
    let source = SeedSource.data(Data(seed("{\"name\": \"a\"}").utf8), name: "new.json")
    var seeder = Seeder(source, policy: .always)
    seeder.pruning = .all
    #expect(throws: SeedError.self) { try seeder.preview(in: store.coordinator) }
    seeder.isComparison = true
    let preview = try seeder.preview(in: store.coordinator)
    #expect(preview.changes.contains { $0.kind == .deleted && $0.name == "\"b\"" })
  }
}
