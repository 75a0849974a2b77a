import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Nested records")
struct NestedRecordTests {
  /// A Recipe (`name`) has Steps, whose natural key is the recipe and a number, and Hints, whose key is the step
  /// and a number.
  private static func model(isRequired: Bool = true, isOwner: Bool = true) -> NSManagedObjectModel {
    let recipe = makeEntity("Recipe", makeAttribute("name", .stringAttributeType))
    let step = makeEntity(
      "Step",
      makeAttribute("number", .integer16AttributeType),
      makeAttribute("text", .stringAttributeType)
    )
    let hint = makeEntity(
      "Hint",
      makeAttribute("number", .integer16AttributeType),
      makeAttribute("text", .stringAttributeType)
    )
    relate(step, "recipe", isToMany: false, recipe, "steps", isToMany: true)
    relate(hint, "step", isToMany: false, step, "hints", isToMany: true)
    step.uniquenessConstraints = [["recipe", "number"]]
    hint.userInfo = ["identityAttributes": "step, number"]
    step.relationshipsByName["recipe"]?.isOptional = !isRequired
    hint.relationshipsByName["step"]?.isOptional = false
    if isOwner { recipe.relationshipsByName["steps"]?.deleteRule = .cascadeDeleteRule }
    step.relationshipsByName["hints"]?.deleteRule = .cascadeDeleteRule
    return makeModel([recipe, step, hint]) { _ in }
  }

  private func recipe(_ name: String, _ steps: [(Int, String)]) -> String {
    let list = steps.map { number, text in
      "{\"text\": \"\(text)\", \"hints\": [{\"text\": \"\(text)!\", \"number\": 1}], \"number\": \(number)}"
    }
    return "{\"steps\": [\(list.joined(separator: ", "))], \"name\": \"\(name)\"}"
  }

  @Test(
    "nested records include the outer record in their key, wherever the outer record's key is written",
    arguments: SeedWay.allCases
  )
  func key(way: SeedWay) throws {
    let store = try way.store(Self.model())
    let seed = { (text: String) in
      "{\"recipes\": [\(self.recipe("A", [(1, text), (2, "two")])), \(self.recipe("B", [(1, "other")]))]}"
    }
    #expect(try way.seed(store, ["seed.json": seed("one")]).total.created == 8)
    let report = try way.seed(store, ["seed.json": seed("new")])
    #expect(
      report.description == "Hint: 1 updated, 2 unchanged\nRecipe: 2 unchanged\nStep: 1 updated, 2 unchanged"
    )
    #expect(try store.lines("Step", "recipe.name", "number", "text") == ["A|1|new", "A|2|two", "B|1|other"])
    #expect(
      try store.lines("Hint", "step.recipe.name", "step.number", "text") == [
        "A|1|new!", "A|2|two!", "B|1|other!",
      ]
    )
    #expect(try way.seed(store, ["seed.json": seed("new")], policy: .always).total.unchanged == 8)
  }

  @Test("equal nested records in different outer records are different objects", arguments: SeedWay.allCases)
  func sameFields(way: SeedWay) throws {
    let store = try way.store(Self.model())
    try way.seed(
      store,
      ["seed.json": "{\"recipes\": [\(recipe("A", [(1, "mix")])), \(recipe("B", [(1, "mix")]))]}"]
    )
    #expect(try store.lines("Step", "recipe.name", "text") == ["A|mix", "B|mix"])
  }

  @Test(
    "nested records can be given by their key alone, and as records of their own",
    arguments: SeedWay.allCases
  )
  func records(way: SeedWay) throws {
    let store = try way.store(Self.model())
    let steps =
      "{\"steps\": [{\"recipe\": \"A\", \"number\": 1, \"text\": \"one\"}], \"recipes\": [{\"name\": \"A\"}]}"
    try way.seed(store, ["seed.json": steps])
    try way.seed(store, ["other.json": "{\"recipes\": [\(recipe("A", [(1, "two")]))]}"])
    #expect(try store.lines("Step", "recipe.name", "number", "text") == ["A|1|two"])
  }

  @Test(
    "nested records that their owner does not list any more are deleted, in every mode that writes",
    arguments: SeedWay.allCases
  )
  func leftOut(way: SeedWay) throws {
    for mode in [SeedMode.upsert, .merge] {
      let store = try way.store(Self.model())
      let seed = { (steps: [(Int, String)]) in "{\"recipes\": [\n\(self.recipe("A", steps))]}" }
      try way.seed(store, ["seed.json": seed([(1, "one"), (2, "two")])], mode: mode)
      let report = try way.seed(store, ["seed.json": seed([(1, "one")])], mode: mode)
      #expect(
        report.description == "Hint: 1 unchanged, 1 deleted\nRecipe: 1 updated\nStep: 1 unchanged, 1 deleted"
      )
      #expect(try store.lines("Step", "recipe.name", "number", "text") == ["A|1|one"])
      #expect(try store.count("Hint") == 1)
    }
  }

  @Test(
    "nested records without an owner that are dropped and cannot exist alone are an error with a position",
    arguments: SeedWay.allCases
  )
  func orphan(way: SeedWay) throws {
    let store = try way.store(Self.model(isOwner: false))
    let seed = { (steps: [(Int, String)]) in "{\"recipes\": [\n\(self.recipe("A", steps))]}" }
    try way.seed(store, ["seed.json": seed([(1, "one"), (2, "two")])])
    let error = #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": seed([(1, "one")])]) }
    #expect(error?.code == .invalidObject)
    #expect(
      error?.description.hasPrefix(
        "seed.json:2: Recipe record 1: the store has a Step 2 that the record does not name any more, and that cannot be "
          + "without recipe; "
      ) == true,
      "\(error?.description ?? "")"
    )
    #expect(try store.count("Step") == 2)
    for (pruning, texts) in [(SeedPruning.own, ["one"]), (.all, ["three"])] {
      try way.seed(store, ["seed.json": seed([(1, texts[0])])]) { $0.pruning = pruning }
      #expect(try store.values("Step", "text") == texts)
      #expect(try store.count("Hint") == 1)
      try way.seed(store, ["seed.json": seed([(1, "one"), (2, "two")])])
    }
  }
}
