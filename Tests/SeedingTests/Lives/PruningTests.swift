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
    "pruning neither deletes nor rewrites objects of an unchanged seed of the run",
    arguments: SeedWay.allCases
  )
  func unchangedSource(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": tags("a1", "a2"), "b.json": tags("b1", "b2")]) { $0.pruning = .all }
    try store.set("Tag", "name", "a1", "name", to: "user's")
    let report = try way.seed(store, ["a.json": tags("a1", "a2"), "b.json": tags("b1", "b3")]) {
      $0.pruning = .all
    }
    #expect(report.seeds.map(\.wasSkipped) == [true, false])
    #expect(report.total.created == 1)
    // The user has renamed a1, so an upsert would not have restored it either.
    #expect(try store.values("Tag", "name") == ["a2", "b1", "b3"])
  }

  @Test(
    "objects that pruning keeps because of a user's changes do not prevent the pruning of others",
    arguments: SeedWay.allCases
  )
  func keptWithPruned(way: SeedWay) throws {
    let store = try way.store()
    let numbers = 0..<50
    let notes = numbers.map { #"{"title": "\#($0)", "contents": "seed"}"# }.joined(separator: ", ")
    let tags = numbers.map { #"{"name": "\#($0)"}"# }.joined(separator: ", ")
    try way.seed(store, ["a.json": #"{"notes": [\#(notes)], "tags": [\#(tags)]}"#], profile: .sync)
    for number in numbers { try store.set("Note", "title", "\(number)", "contents", to: "user") }
    let report = try way.seed(store, ["a.json": #"{"notes": [], "tags": []}"#], profile: .sync)
    #expect(report.description == "Note: 50 conflicts\nTag: 50 deleted")
    #expect(try store.count("Note") == 50 && store.count("Tag") == 0)
  }

  @Test("the mode replace creates the objects of all seeds of the run anew", arguments: SeedWay.allCases)
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
    "objects without a natural key in an unchanged seed keep their number when pruning",
    arguments: SeedWay.allCases
  )
  func keyless(way: SeedWay) throws {
    let event = makeEntity("Event", makeAttribute("what", .stringAttributeType))
    let store = try way.store(makeModel([event]) { _ in })
    let unchanged = "{\"events\": [{\"what\": \"a\"}, {\"what\": \"a\"}]}"
    for what in ["b", "c"] {
      try way.seed(store, ["a.json": unchanged, "b.json": "{\"events\": [{\"what\": \"\(what)\"}]}"]) {
        $0.pruning = .all
      }
    }
    #expect(try store.values("Event", "what") == ["a", "a", "c"])
  }

  @Test(
    "own pruning deletes objects that the seed has dropped, and none of a user's objects",
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
    "own pruning deletes objects of an earlier run, whatever happened in between",
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

  @Test("own pruning keeps objects that another seed also contains", arguments: SeedWay.allCases)
  func ownShared(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["a.json": tags("both", "a")])
    try way.seed(store, ["b.json": tags("both", "b")])
    try way.seed(store, ["a.json": tags("c")]) { $0.pruning = .own }
    #expect(try store.values("Tag", "name") == ["b", "both", "c"])
  }

  @Test("own pruning keeps an object whose key a user has changed", arguments: SeedWay.allCases)
  func ownRenamed(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": tags("one")])
    try store.set("Tag", "name", "one", "name", to: "mine")
    try way.seed(store, ["seed.json": tags("two")]) { $0.pruning = .own }
    #expect(try store.values("Tag", "name") == ["mine", "two"])
  }

  @Test("pruning counts objects that the model's delete rules delete", arguments: SeedWay.allCases)
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
    let report = try way.seed(store, ["seed.json": "{\"categories\": [{\"name\": \"b\"}]}"]) {
      $0.pruning = .all
    }
    #expect(report.description == "Category: 1 unchanged, 1 deleted\nNote: 1 deleted")
    #expect(try store.count("Note") == 0)
  }

  @Test(
    "objects that a user has deleted are inserted again, unless they are to stay deleted",
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

  @Test("pruning follows a renamed entity", arguments: [SeedWay.transaction, .pieces])
  func renamed(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": tags("kept", "gone")])
    let metadata = store.metadata
    let label = makeEntity("Label", makeAttribute("name", .stringAttributeType))
    label.renamingIdentifier = "Tag"
    let later = try way.store(makeModel([label]) { _ in })
    // The state that a migration leaves: the objects and the metadata of the store.
    for name in ["kept", "gone", "user's"] { try later.insert("Label", ["name": name]) }
    var present = later.metadata
    present["PerennialSeeds"] = metadata["PerennialSeeds"]
    later.coordinator.setMetadata(present, for: try #require(later.coordinator.persistentStores.first))
    try way.seed(later, ["seed.json": "{\"labels\": [{\"name\": \"kept\"}]}"]) { $0.pruning = .own }
    #expect(try later.values("Label", "name") == ["kept", "user's"])
  }

  @Test(
    "own pruning deletes an object that moved between seeds, once no seed contains it",
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

  @Test("own pruning deletes an object of two seeds, once both have dropped it", arguments: SeedWay.allCases)
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
    "an object that a user has deleted stays deleted when its record moves to another seed",
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
    "the mode replace restores objects that it has deleted itself, but not those that a user has deleted",
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
    "objects of a renamed entity that another seed's run has pruned do not count as deleted by a user",
    arguments: [SeedWay.transaction, .pieces]
  )
  func renamedEntity(way: SeedWay) throws {
    let store = try way.store(LifeModel.model(.first))
    try way.seed(store, ["a.json": tags("A"), "b.json": tags("B")])
    try store.migrate(to: LifeModel.model(.second))
    try way.seed(store, ["b.json": "{\"labels\": [{\"name\": \"C\"}]}"]) { $0.pruning = .all }
    #expect(try store.values("Label", "name") == ["C"])
    // The prune has deleted A's object, not a user.
    try way.seed(store, ["a.json": "{\"labels\": [{\"name\": \"A\"}, {\"name\": \"D\"}]}"]) {
      $0.restoresDeletedObjects = false
    }
    #expect(try store.values("Label", "name") == ["A", "C", "D"])
  }

  @Test(
    "a user's edit of a pruned object is a conflict, which the policy resolves and which is reported once",
    arguments: SeedWay.allCases
  )
  func edited(way: SeedWay) throws {
    let seed = { (notes: String) in "{\"tags\": [{\"name\": \"x\"}], \"notes\": [\(notes)]}" }
    let all = """
      {"title": "1", "contents": "old"}, {"title": "2", "contents": "old"}, {"title": "3"}, {"title": "4", "tags": ["x"]}
      """
    for policy in SeedConflictPolicy.allCases {
      let store = try way.store()
      try way.seed(store, ["seed.json": seed(all)], mode: .merge)
      try store.set("Note", "title", "1", "contents", to: "mine")
      try store.set("Note", "title", "3", "contents", to: "mine")
      try store.edit("Note", where: "title", is: "4") { note, _ in
        note.setValue(Set<NSManagedObject>(), forKey: "tags")
      }
      let configure = { (seeder: inout Seeder) in
        seeder.pruning = .own
        seeder.conflictPolicy = policy
      }
      let report = try way.seed(store, ["seed.json": seed("")], mode: .merge, configure)
      #expect(report.conflicts.map(\.name).sorted() == ["\"1\"", "\"3\"", "\"4\""])
      #expect(report.conflicts.allSatisfy { $0.isDeletion && $0.isSeedTaken == (policy == .takeSeed) })
      let first = try #require(report.conflicts.first { $0.name == "\"1\"" })
      #expect((first.key, first.present, first.position.file) == ("contents", "\"mine\"", "seed.json"))
      #expect(report.entities["Note"]?.conflicts == 3)
      let titles = policy == .takeSeed ? [] : ["1", "3", "4"]
      #expect(try store.values("Note", "title") == titles)
      // From then on, the object belongs to the user.
      let again = try way.seed(store, ["seed.json": seed("") + " "], mode: .merge, configure)
      #expect(again.conflicts == [])
      #expect(try store.values("Note", "title") == titles)
    }
  }

  @Test(
    "pruning an object that a record refers to is an error",
    arguments: SeedWay.allCases,
    [SeedPruning.own, .all]
  )
  func referred(way: SeedWay, pruning: SeedPruning) throws {
    let store = try way.store()
    let seed = { (names: [String]) in
      let tags = names.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", ")
      return "{\"tags\": [\(tags)], \"notes\": [\n{\"title\": \"1\", \"tags\": [\"kept\", \"gone\"]}]}"
    }
    try way.seed(store, ["seed.json": seed(["kept", "gone"])])
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["seed.json": seed(["kept"])]) { $0.pruning = pruning }
    }
    #expect(error?.code == .unknownReference)
    #expect(error?.position?.line == 2)
    #expect(error?.position?.key == "tags")
    #expect(error?.problem.contains("Tag \"gone\"") == true, "\(error?.description ?? "")")
    #expect(try store.noteLines() == ["1|-|gone,kept"])
  }

  @Test(
    "pruning an owner is an error if that would delete a record's object, too",
    arguments: SeedWay.allCases
  )
  func alongWithAnother(way: SeedWay) throws {
    let model = TestModel.notes { entities in
      entities["Category"]?.relationshipsByName["notes"]?.deleteRule = .cascadeDeleteRule
    }
    let store = try way.store(model)
    let note = "\"notes\": [{\"title\": \"1\""
    try way.seed(
      store,
      ["seed.json": "{\"categories\": [{\"name\": \"a\"}], \(note), \"category\": \"a\"}]}"]
    )
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["seed.json": "{\"categories\": [], \(note)}]}"]) { $0.pruning = .own }
    }
    #expect(error?.code == .contradiction)
    #expect(error?.position?.record == 1)
    #expect(try store.noteLines() == ["1|a|"])
  }

  @Test(
    "a record of an object that a user has deleted with its owner is skipped, and so is a new record of that owner",
    arguments: SeedWay.allCases,
    [true, false]
  )
  func lacksOwner(way: SeedWay, isRequired: Bool) throws {
    let recipe = makeEntity("Recipe", makeAttribute("name", .stringAttributeType))
    let step = makeEntity("Step", makeAttribute("number", .integer16AttributeType))
    let hint = makeEntity("Hint", makeAttribute("name", .stringAttributeType))
    relate(step, "recipe", isToMany: false, recipe, "steps", isToMany: true)
    relate(hint, "step", isToMany: false, step, "hints", isToMany: true)
    recipe.relationshipsByName["steps"]?.deleteRule = .cascadeDeleteRule
    step.relationshipsByName["hints"]?.deleteRule = .cascadeDeleteRule
    step.relationshipsByName["recipe"]?.isOptional = !isRequired
    step.userInfo = ["identityAttributes": "recipe,number"]
    let store = try way.store(makeModel([recipe, step, hint]))
    let steps = { (numbers: [Int]) in
      numbers.map { "{\"recipe\": \"a\", \"number\": \($0)}" }.joined(separator: ", ")
    }
    try way.seed(store, ["seed.json": "{\"recipes\": [{\"name\": \"a\"}], \"steps\": [\(steps([1]))]}"])
    try store.delete("Recipe", "name", "a")
    let more = """
      {"recipes": [{"name": "a"}, {"name": "b"}], "steps": [\(steps([1, 2]))],
       "hints": [{"name": "x", "step": {"recipe": "a", "number": 2}}]}
      """
    let report = try way.seed(store, ["seed.json": more]) { $0.restoresDeletedObjects = false }
    #expect(report.description == "Hint: 1 skipped\nRecipe: 1 created, 1 skipped\nStep: 2 skipped")
    #expect(try store.count("Step") == 0)
    #expect(try store.values("Recipe", "name") == ["b"])
  }
}
