import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Pruning")
struct PruningTests {
  private func tags(_ names: String...) -> String {
    "{\"tags\": [\(names.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", "))]}"
  }

  @Test(
    "what an unchanged seed of the run has is not deleted, and not written again",
    arguments: SeedWay.allCases
  )
  func unchangedSource(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": tags("a1", "a2"), "b.json": tags("b1", "b2")], mode: .prune)
    try store.set("Tag", "name", "a1", "name", to: "user's")
    let report = try way.seed(
      store,
      ["a.json": tags("a1", "a2"), "b.json": tags("b1", "b3")],
      mode: .prune
    )
    #expect(report.seeds.map(\.wasSkipped) == [true, false])
    #expect(report.total.created == 1)
    // An upsert would not have made the tag again either that the user has taken for something else.
    #expect(try store.values("Tag", "name") == ["a2", "b1", "b3"])
  }

  @Test("a replacement makes the objects of all seeds of the run anew", arguments: SeedWay.allCases)
  func replaced(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": tags("a"), "b.json": tags("b")], mode: .replace)
    let report = try way.seed(store, ["a.json": tags("a"), "b.json": tags("c")], mode: .replace)
    #expect(report.description == "Tag: 2 created, 2 deleted")
    #expect(report.seeds.map(\.wasSkipped) == [false, false])
    #expect(try store.values("Tag", "name") == ["a", "c"])
    #expect(
      try way.seed(store, ["a.json": tags("a"), "b.json": tags("c")], mode: .replace).total.skipped == 2
    )
  }

  @Test(
    "objects without a natural key of an unchanged seed are there as often as it has them",
    arguments: SeedWay.allCases
  )
  func keyless(way: SeedWay) throws {
    let event = makeEntity("Event", makeAttribute("what", .stringAttributeType))
    let store = try way.store(makeModel([event]) { _ in })
    let unchanged = "{\"events\": [{\"what\": \"a\"}, {\"what\": \"a\"}]}"
    try way.seed(store, ["a.json": unchanged, "b.json": "{\"events\": [{\"what\": \"b\"}]}"], mode: .prune)
    try way.seed(store, ["a.json": unchanged, "b.json": "{\"events\": [{\"what\": \"c\"}]}"], mode: .prune)
    #expect(try store.values("Event", "what") == ["a", "a", "c"])
  }

  @Test(
    "of its own deletes what the seed has made and does not bring any more, and nothing of a user's",
    arguments: SeedWay.allCases
  )
  func own(way: SeedWay) throws {
    let store = try way.store()
    try store.insert("Tag", ["name": "shared"])
    try way.seed(store, ["seed.json": tags("kept", "gone", "shared")])
    try store.insert("Tag", ["name": "user's"])
    let report = try way.seed(store, ["seed.json": tags("kept")]) { $0.pruning = .own }
    #expect(report.description == "Tag: 1 unchanged, 1 deleted")
    #expect(try store.values("Tag", "name") == ["kept", "shared", "user's"])
  }

  @Test(
    "of its own deletes what an earlier run brought, whatever came between",
    arguments: SeedWay.allCases
  )
  func ownLater(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": tags("one", "two")])
    try way.seed(store, ["seed.json": tags("two", "three")])
    #expect(try store.values("Tag", "name") == ["one", "three", "two"])
    try way.seed(store, ["seed.json": tags("two", "four")]) { $0.pruning = .own }
    #expect(try store.values("Tag", "name") == ["four", "two"])
    try way.seed(store, ["seed.json": "{\"tags\": []}"]) { $0.pruning = .own }
    #expect(try store.count("Tag") == 0)
  }

  @Test("of its own leaves what another seed brings as well", arguments: SeedWay.allCases)
  func ownShared(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": tags("both", "a")])
    try way.seed(store, ["b.json": tags("both", "b")])
    try way.seed(store, ["a.json": tags("c")]) { $0.pruning = .own }
    #expect(try store.values("Tag", "name") == ["b", "both", "c"])
  }

  @Test("of its own leaves an object whose key a user has changed", arguments: SeedWay.allCases)
  func ownRenamed(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": tags("one")])
    try store.set("Tag", "name", "one", "name", to: "mine")
    try way.seed(store, ["seed.json": tags("two")]) { $0.pruning = .own }
    #expect(try store.values("Tag", "name") == ["mine", "two"])
  }

  @Test("counts what goes along by the model's rules", arguments: SeedWay.allCases)
  func cascade(way: SeedWay) throws {
    let model = TestModel.notes { entities in
      entities["Category"]?.relationshipsByName["notes"]?.deleteRule = .cascadeDeleteRule
    }
    let store = try way.store(model)
    try way.seed(
      store,
      [
        "seed.json":
          "{\"categories\": [{\"name\": \"a\"}, {\"name\": \"b\"}], \"notes\": [{\"title\": \"1\", \"category\": \"a\"}]}"
      ]
    )
    let report = try way.seed(store, ["seed.json": "{\"categories\": [{\"name\": \"b\"}]}"], mode: .prune)
    #expect(report.description == "Category: 1 unchanged, 1 deleted\nNote: 1 deleted")
    #expect(try store.count("Note") == 0)
  }

  @Test(
    "objects that a user has deleted come again, unless they are to stay deleted",
    arguments: SeedWay.allCases
  )
  func deleted(way: SeedWay) throws {
    let store = try way.store()
    let seed = { (contents: String) in
      """
      {"tags": [{"name": "kept"}, {"name": "gone"}],
       "notes": [{"title": "1", "contents": "\(contents)", "tags": ["kept", "gone"]}]}
      """
    }
    try way.seed(store, ["seed.json": seed("one")])
    try store.delete("Tag", "name", "gone")
    let report = try way.seed(store, ["seed.json": seed("two")]) { $0.restoresDeletedObjects = false }
    #expect(report.description == "Note: 1 updated\nTag: 1 unchanged, 1 skipped")
    #expect(try store.noteLines() == ["1|-|kept"])
    try way.seed(store, ["seed.json": seed("three")]) { $0.restoresDeletedObjects = false }
    #expect(try store.noteLines() == ["1|-|kept"])
    try way.seed(store, ["seed.json": seed("four")])
    #expect(try store.noteLines() == ["1|-|gone,kept"])
  }

  @Test("follows an entity that has been renamed", arguments: [SeedWay.transaction, .pieces])
  func renamed(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": tags("kept", "gone")])
    let metadata = store.metadata
    let label = makeEntity("Label", makeAttribute("name", .stringAttributeType))
    label.renamingIdentifier = "Tag"
    let later = try way.store(makeModel([label]) { _ in })
    // As a migration leaves the store: its objects and its metadata.
    for name in ["kept", "gone", "user's"] { try later.insert("Label", ["name": name]) }
    var present = later.metadata
    present["PerennialSeeds"] = metadata["PerennialSeeds"]
    later.coordinator.setMetadata(present, for: try #require(later.coordinator.persistentStores.first))
    try way.seed(later, ["seed.json": "{\"labels\": [{\"name\": \"kept\"}]}"]) { $0.pruning = .own }
    #expect(try later.values("Label", "name") == ["kept", "user's"])
  }

  @Test(
    "of its own deletes what has moved from one seed to another, once neither brings it",
    arguments: SeedWay.allCases
  )
  func moved(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": tags("A"), "b.json": tags("B")])
    try way.seed(store, ["a.json": "{\"tags\": []}", "b.json": tags("B", "A")]) { $0.pruning = .own }
    #expect(try store.values("Tag", "name") == ["A", "B"])
    try way.seed(store, ["a.json": "{\"tags\": []}", "b.json": tags("B")]) { $0.pruning = .own }
    #expect(try store.values("Tag", "name") == ["B"])
  }

  @Test("of its own deletes what two seeds brought, once both have dropped it", arguments: SeedWay.allCases)
  func sharedBySeeds(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": tags("A", "both")])
    try way.seed(store, ["b.json": tags("B", "both")])
    try way.seed(store, ["a.json": tags("A")]) { $0.pruning = .own }
    #expect(try store.values("Tag", "name") == ["A", "B", "both"])
    try way.seed(store, ["b.json": tags("B")]) { $0.pruning = .own }
    #expect(try store.values("Tag", "name") == ["A", "B"])
  }

  @Test(
    "what a user has deleted stays deleted where its record moves to another seed",
    arguments: SeedWay.allCases
  )
  func movedAndDeleted(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": tags("A"), "b.json": tags("B")])
    try way.seed(store, ["a.json": "{\"tags\": []}", "b.json": tags("B", "A")])
    try store.delete("Tag", "name", "A")
    for versions in [tags("B", "A", "C"), tags("A", "B"), tags("B", "A", "D")] {
      try way.seed(store, ["a.json": "{\"tags\": []}", "b.json": versions]) {
        $0.restoresDeletedObjects = false
      }
      #expect(try !store.values("Tag", "name").contains("A"))
    }
  }

  @Test(
    "a replacement makes what it has deleted itself again, and not what a user has deleted",
    arguments: SeedWay.allCases
  )
  func replacedAndDeleted(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": tags("A", "B")])
    try store.delete("Tag", "name", "A")
    for version in [tags("A", "B", "C"), tags("A", "B")] {
      try way.seed(store, ["a.json": version], mode: .replace) { $0.restoresDeletedObjects = false }
      #expect(try store.values("Tag", "name").filter { $0 != "C" } == ["B"])
    }
  }

  @Test(
    "what one seed's run deletes of an entity that was renamed is no more the objects of another",
    arguments: [SeedWay.transaction, .pieces]
  )
  func renamedEntity(way: SeedWay) throws {
    let store = try way.store(LifeModel.model(.first))
    try way.seed(store, ["a.json": tags("A"), "b.json": tags("B")])
    try store.migrate(to: LifeModel.model(.second))
    try way.seed(store, ["b.json": "{\"labels\": [{\"name\": \"C\"}]}"], mode: .prune)
    #expect(try store.values("Label", "name") == ["C"])
    // A's object is gone by the prune, and not by a user.
    try way.seed(store, ["a.json": "{\"labels\": [{\"name\": \"A\"}, {\"name\": \"D\"}]}"]) {
      $0.restoresDeletedObjects = false
    }
    #expect(try store.values("Label", "name") == ["A", "C", "D"])
  }
}
