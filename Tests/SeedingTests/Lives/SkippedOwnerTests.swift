import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Records with a natural key whose owner is skipped")
struct SkippedOwnerTests {
  /// A Recipe owns Steps. Their names are their keys.
  private static func model(isRequired: Bool) -> NSManagedObjectModel {
    let recipe = makeEntity("Recipe", makeAttribute("name", .stringAttributeType))
    let step = makeEntity("Step", makeAttribute("name", .stringAttributeType))
    relate(recipe, "steps", isToMany: true, isOrdered: true, step, "recipe", isToMany: false)
    recipe.relationshipsByName["steps"]?.deleteRule = .cascadeDeleteRule
    step.relationshipsByName["recipe"]?.isOptional = !isRequired
    return makeModel([recipe, step])
  }

  private static let first = "{\"recipes\": [{\"name\": \"A\", \"steps\": [{\"name\": \"1\"}]}]}"
  private static let second = """
    {"recipes": [{"name": "A", "steps": [{"name": "1"}, {"name": "2"}]}, {"name": "B", "steps": [{"name": "3"}]}]}
    """

  @Test(
    "nested records of an unchanged owner do not create orphans",
    arguments: SeedWay.allCases,
    [true, false]
  )
  func kept(way: SeedWay, isRequired: Bool) throws {
    let store = try way.store(Self.model(isRequired: isRequired))
    try way.seed(store, ["seed.json": Self.first], profile: .starter)
    let report = try way.seed(store, ["seed.json": Self.second], profile: .starter)
    #expect(report.description == "Recipe: 1 created, 1 skipped\nStep: 1 created, 2 skipped")
    #expect(try store.lines("Step", "name", "recipe.name") == ["1|A", "3|B"])
  }

  @Test(
    "nested records in a list that a merge leaves to the user do not create orphans",
    arguments: SeedWay.allCases,
    [true, false]
  )
  func conflict(way: SeedWay, isRequired: Bool) throws {
    for restores in [true, false] {
      for policy in SeedConflictPolicy.allCases {
        let store = try way.store(Self.model(isRequired: isRequired))
        try way.seed(store, ["seed.json": Self.first], mode: .merge)
        try store.delete("Step", "name", "1")
        let report = try way.seed(store, ["seed.json": Self.second], mode: .merge) {
          $0.restoresDeletedObjects = restores
          $0.conflictPolicy = policy
        }
        #expect(report.conflicts.map(\.key) == ["steps"])
        let taken = restores ? ["1|A", "2|A", "3|B"] : ["2|A", "3|B"]
        #expect(try store.lines("Step", "name", "recipe.name") == (policy == .takeSeed ? taken : ["3|B"]))
      }
    }
  }

  @Test(
    "nested records in a create-only list do not create orphans",
    arguments: SeedWay.allCases,
    [true, false]
  )
  func createOnly(way: SeedWay, isRequired: Bool) throws {
    let store = try way.store(Self.model(isRequired: isRequired))
    for text in [Self.first, Self.second] {
      try way.seed(store, ["seed.json": text]) { $0.createOnly = ["Recipe": ["steps"]] }
    }
    #expect(try store.lines("Step", "name", "recipe.name") == ["1|A", "3|B"])
  }

  @Test(
    "nested records of an owner that a user has deleted do not create orphans",
    arguments: SeedWay.allCases,
    [true, false]
  )
  func deleted(way: SeedWay, isRequired: Bool) throws {
    for profile in [SeedProfile.starter, .sync] {
      let store = try way.store(Self.model(isRequired: isRequired))
      try way.seed(store, ["seed.json": Self.first], profile: profile)
      try store.delete("Recipe", "name", "A")
      let report = try way.seed(store, ["seed.json": Self.second], profile: profile)
      #expect(report.description == "Recipe: 1 created, 1 skipped\nStep: 1 created, 2 skipped")
      #expect(try store.lines("Step", "name", "recipe.name") == ["3|B"])
    }
  }

  @Test(
    "nested records of a skipped owner create their objects if a record that is not skipped refers to them",
    arguments: SeedWay.allCases,
    ["\"t\"", "{\"name\": \"t\"}", "{\"$ref\": \"label\"}"]
  )
  func referred(way: SeedWay, reference: String) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": "{\"notes\": [{\"title\": \"a\"}]}"], profile: .starter)
    let label = reference.contains("$ref") ? "\"$id\": \"label\", " : ""
    let seed = """
      {"notes": [{"title": "a", "tags": [{\(label)"name": "t"}, {"name": "u"}]}, {"title": "b", "tags": [\(reference)]}]}
      """
    try way.seed(store, ["seed.json": seed], profile: .starter)
    #expect(try store.noteLines() == ["a|-|", "b|-|t"])
    #expect(try store.values("Tag", "name") == ["t"])
  }

  @Test(
    "nested objects stay with their present owner if a user has deleted the new one",
    arguments: SeedWay.allCases,
    [true, false]
  )
  func moved(way: SeedWay, isRequired: Bool) throws {
    let seed = { (owner: String) in
      """
      {"recipes": [{"name": "A"}, {"name": "B"}], "steps": [{"name": "1", "recipe": "\(owner)"}]}
      """
    }
    for mode in [SeedMode.upsert, .merge] {
      let store = try way.store(Self.model(isRequired: isRequired))
      try way.seed(store, ["seed.json": seed("A")], mode: mode)
      try store.delete("Recipe", "name", "B")
      for _ in 0..<2 {
        let report = try way.seed(store, ["seed.json": seed("B")], mode: mode, policy: .always) {
          $0.restoresDeletedObjects = false
        }
        #expect(report.description == "Recipe: 1 unchanged, 1 skipped\nStep: 1 unchanged")
        #expect(try store.lines("Step", "name", "recipe.name") == ["1|A"])
      }
    }
  }
}
