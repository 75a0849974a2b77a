import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Profiles")
struct ProfileTests {
  private static let first = """
    {"tags": [{"name": "kept"}, {"name": "dropped"}, {"name": "deleted"}],
     "notes": [{"title": "user's", "contents": "old"}, {"title": "seed's", "contents": "old"},
               {"title": "both", "contents": "old", "tags": ["kept", "deleted"]}]}
    """
  private static let second = """
    {"tags": [{"name": "kept"}, {"name": "deleted"}, {"name": "new"}],
     "notes": [{"title": "user's", "contents": "old"}, {"title": "seed's", "contents": "new"},
               {"title": "both", "contents": "new", "tags": ["kept", "deleted", "new"]}]}
    """

  /// Applies a user's changes between two versions of a seed.
  private func use(_ store: TestStore) throws {
    try store.insert("Tag", ["name": "mine"])
    for title in ["user's", "both"] { try store.set("Note", "title", title, "contents", to: "edited") }
    try store.delete("Tag", "name", "deleted")
  }

  /// The individual settings of a profile.
  private func settings(_ profile: SeedProfile) -> (inout Seeder) -> Void {
    { seeder in
      switch profile {
      case .reference: seeder.pruning = .own
      case .starter:
        seeder.mode = .createOnly
        seeder.restoresDeletedObjects = false
      case .sync:
        seeder.mode = .merge
        seeder.pruning = .own
        seeder.restoresDeletedObjects = false
      case .reset:
        seeder.mode = .replace
        seeder.policy = .always
      }
    }
  }

  @Test("each profile does the same as its settings", arguments: SeedWay.allCases, SeedProfile.allCases)
  func settings(way: SeedWay, profile: SeedProfile) throws {
    let (store, other) = (try way.store(), try way.store())
    for version in [Self.first, Self.second, Self.second] {
      let report = try way.seed(store, ["seed.json": version], profile: profile)
      let same = try way.seed(other, ["seed.json": version], settings(profile))
      #expect(report == same)
      #expect(try store.contents() == other.contents())
      #expect(try store.noteLines() == other.noteLines())
      for store in [store, other] { try use(store) }
    }
  }

  @Test(
    "each profile leaves the store as its table says, also through an operation",
    arguments: SeedProfile.allCases
  )
  func operation(profile: SeedProfile) throws {
    let (store, other) = (try TestStore(), try TestStore())
    for version in [Self.first, Self.second] {
      var seeder = Seeder(.data(Data(version.utf8), name: "seed.json"), profile: profile)
      seeder.allowsReset = true
      let operation = SeedOperation(with: store.newContext(), seeder: seeder)
      operation.start()
      let report = try #require(try operation.result?.get())
      #expect(try report == SeedWay.parent.seed(other, ["seed.json": version], profile: profile))
      for store in [store, other] { try use(store) }
    }
    #expect(try store.contents() == other.contents())
  }

  @Test("a preview shows what each profile will do", arguments: TestStore.Kind.allCases, SeedProfile.allCases)
  func preview(kind: TestStore.Kind, profile: SeedProfile) throws {
    let store = try TestStore(kind)
    try store.seed(Self.first)
    try use(store)
    var seeder = Seeder(.data(Data(Self.second.utf8), name: "seed.json"), profile: profile)
    let preview = try seeder.preview(in: store.coordinator)
    seeder.allowsReset = true
    #expect(try seeder.runAndWait(in: store.coordinator) == preview.report)
  }

  @Test("the profile reset starts anew each time, even with unchanged content", arguments: SeedWay.allCases)
  func reset(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": Self.first], profile: .reset)
    try use(store)
    let report = try way.seed(store, ["seed.json": Self.first], profile: .reset)
    #expect(report.description == "Note: 3 created, 3 deleted\nTag: 3 created, 3 deleted")
    #expect(try store.values("Tag", "name") == ["deleted", "dropped", "kept"])
    #expect(try store.values("Note", "contents") == ["old", "old", "old"])
  }

  // MARK: - Settings next to a profile

  private static let contradictions: [(SeedProfile, words: String, @Sendable (inout Seeder) -> Void)] = [
    (.reference, "the mode merge", { $0.mode = .merge }),
    (.starter, "the mode upsert", { $0.mode = .upsert }),
    (.sync, "the pruning none", { $0.pruning = .none }), (.reset, "the pruning all", { $0.pruning = .all }),
    (.reference, "restoresDeletedObjects = false", { $0.restoresDeletedObjects = false }),
    (.sync, "restoresDeletedObjects = true", { $0.restoresDeletedObjects = true }),
    (.starter, "createOnly", { $0.createOnly = ["Note": ["contents"]] }),
    (.reset, "createOnly", { $0.createOnly = ["Note": ["contents"]] }),
    (.reference, "the conflict policy take-seed", { $0.conflictPolicy = .takeSeed }),
    (.sync, "a policy that takes a seed in once", { $0.policy = .oncePerName }),
    (.reset, "a policy that takes a seed in once", { $0.policy = .oncePerFlag(key: "unused") }),
  ]

  @Test(
    "a setting that does not fit the profile is named in an error, and nothing changes",
    arguments: SeedWay.allCases,
    contradictions.indices
  )
  func refused(way: SeedWay, index: Int) throws {
    let (profile, words, configure) = Self.contradictions[index]
    let store = try way.store()
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["seed.json": Self.first], profile: profile, configure)
    }
    #expect(error?.code == .wrongPlan)
    let line = error?.description ?? ""
    #expect(line.contains("the profile \(profile.rawValue) and \(words) do not go together"), "\(line)")
    #expect(try store.contents().isEmpty)
  }

  @Test("profiles accept the settings that apply to them", arguments: SeedWay.allCases)
  func allowed(way: SeedWay) throws {
    let notes = { (contents: String) in "{\"notes\": [{\"title\": \"1\", \"contents\": \"\(contents)\"}]}" }
    for profile in [SeedProfile.reference, .sync] {
      let store = try way.store()
      for contents in ["one", "two"] {
        try way.seed(store, ["seed.json": notes(contents)], profile: profile) {
          $0.createOnly = ["Note": ["contents"]]
        }
      }
      #expect(try store.values("Note", "contents") == ["one"])
    }
    let store = try way.store()
    try way.seed(store, ["seed.json": notes("one")], profile: .sync)
    try store.set("Note", "title", "1", "contents", to: "mine")
    let report = try way.seed(store, ["seed.json": notes("two")], profile: .sync) {
      $0.conflictPolicy = .takeSeed
    }
    #expect(report.conflicts.map(\.isSeedTaken) == [true])
    #expect(try store.values("Note", "contents") == ["two"])
    let again = try way.seed(store, ["seed.json": notes("three")], profile: .starter) {
      $0.policy = .oncePerName
    }
    #expect(again.seeds.map(\.wasSkipped) == [true])
  }

  // MARK: - Development

  @Test(
    "the profile reset is refused outside of development, unless it is forced",
    arguments: SeedWay.allCases
  )
  func guarded(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": Self.first])
    let before = try store.contents()
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["seed.json": Self.second], profile: .reset) {
        $0.allowsReset = false
        $0.isInDevelopment = false
      }
    }
    #expect(error?.code == .notInDevelopment)
    #expect(error?.remedy.contains("PERENNIAL_ENVIRONMENT=development") == true)
    #expect(try store.contents() == before)
    for profile in [SeedProfile.reference, .starter, .sync] {
      try way.seed(store, ["seed.json": Self.second], profile: profile) { $0.isInDevelopment = false }
    }
    let inDevelopment = try way.seed(store, ["seed.json": Self.second], profile: .reset) {
      $0.allowsReset = false
      $0.isInDevelopment = true
    }
    #expect(inDevelopment.total.deleted > 0)
    let forced = try way.seed(store, ["seed.json": Self.second], profile: .reset) {
      $0.isInDevelopment = false
    }
    #expect(forced.total.deleted == 6 && forced.total.created == 6)
  }

  @Test("the profile reset can be previewed anywhere")
  func previewedReset() throws {
    let store = try TestStore()
    try store.seed(Self.first)
    var seeder = Seeder(.data(Data(Self.second.utf8), name: "seed.json"), profile: .reset)
    seeder.isInDevelopment = false
    #expect(try seeder.preview(in: store.coordinator).report.total.deleted == 6)
    #expect(try store.values("Tag", "name") == ["deleted", "dropped", "kept"])
  }

  @Test(
    "PERENNIAL_ENVIRONMENT decides what is development, and without it the kind of build does",
    arguments: [
      ("development", false, true), ("production", true, false), ("Development", true, false),
      ("", true, true),
      ("", false, false), (nil, true, true), (nil, false, false),
    ] as [(String?, Bool, Bool)]
  )
  func environment(word: String?, isDebugBuild: Bool, isDevelopment: Bool) {
    let environment = word.map { ["PERENNIAL_ENVIRONMENT": $0] } ?? [:]
    #expect(Development.isDeclared(in: environment, isDebugBuild: isDebugBuild) == isDevelopment)
  }

  @Test("a fixture may use the profile reset")
  func fixture() throws {
    var seeder = Seeder(.data(Data(Self.first.utf8), name: "seed.json"), profile: .reset)
    seeder.isInDevelopment = false
    let container = try SeedFixture(seeder, model: TestModel.notes()).container()
    let context = container.newBackgroundContext()
    let count = try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
    }
    #expect(count == 3)
  }
}
