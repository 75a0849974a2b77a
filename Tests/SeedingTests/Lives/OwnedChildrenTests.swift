import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Nested records without a natural key")
struct OwnedChildrenTests {
  /// A Recipe (`slug`) owns ordered Steps, which have Hints, and one Cover.
  private static func model(isRequired: Bool, isOwner: Bool = true) -> NSManagedObjectModel {
    let recipe = makeEntity(
      "Recipe",
      makeAttribute("slug", .stringAttributeType),
      makeAttribute("title", .stringAttributeType)
    )
    recipe.uniquenessConstraints = [["slug"]]
    let step = makeEntity(
      "Step",
      makeAttribute("text", .stringAttributeType),
      makeAttribute("note", .stringAttributeType)
    )
    let hint = makeEntity("Hint", makeAttribute("text", .stringAttributeType))
    let cover = makeEntity("Cover", makeAttribute("text", .stringAttributeType))
    relate(recipe, "steps", isToMany: true, isOrdered: true, step, "recipe", isToMany: false)
    relate(step, "hints", isToMany: true, hint, "step", isToMany: false)
    relate(recipe, "cover", isToMany: false, cover, "recipe", isToMany: false)
    step.relationshipsByName["recipe"]?.isOptional = !isRequired
    if isOwner {
      recipe.relationshipsByName["steps"]?.deleteRule = .cascadeDeleteRule
      step.relationshipsByName["hints"]?.deleteRule = .cascadeDeleteRule
      recipe.relationshipsByName["cover"]?.deleteRule = .cascadeDeleteRule
    }
    return makeModel([recipe, step, hint, cover])
  }

  private func recipe(_ title: String, _ steps: String..., more: String = "") -> String {
    let list = steps.map { "{\"text\": \"\($0)\"}" }.joined(separator: ", ")
    return "{\"recipes\": [{\"slug\": \"a\", \"title\": \"\(title)\", \"steps\": [\(list)]\(more)}]}"
  }

  /// Marks the steps, so that later checks recognize the same objects.
  private func mark(_ store: TestStore) throws {
    let context = store.newContext()
    try context.performAndWait {
      for step in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Step")) {
        step.setValue("was \(step.value(forKey: "text") ?? "")", forKey: "note")
      }
      try context.save()
    }
  }

  @Test(
    "nested records without a key update their owner's objects, in each profile that keeps objects",
    arguments: SeedWay.allCases,
    [true, false]
  )
  func same(way: SeedWay, isRequired: Bool) throws {
    for profile in [SeedProfile.reference, .starter, .sync] {
      let store = try way.store(Self.model(isRequired: isRequired))
      try way.seed(store, ["seed.json": recipe("A", "1", "2")], profile: profile)
      let report = try way.seed(store, ["seed.json": recipe("B", "1", "2")], profile: profile)
      #expect(report.conflicts == [])
      #expect(try store.lines("Recipe", "title", "steps.text") == [profile == .starter ? "A|1,2" : "B|1,2"])
      #expect(try store.count("Step") == 2)
      #expect(report.total.created == 0)
    }
  }

  @Test(
    "nested records without a key are matched by their values, then by position, and the rest is deleted",
    arguments: SeedWay.allCases
  )
  func matched(way: SeedWay) throws {
    let store = try way.store(Self.model(isRequired: true))
    try way.seed(store, ["seed.json": recipe("A", "one", "two", "three", "four")])
    try mark(store)
    let report = try way.seed(store, ["seed.json": recipe("A", "three", "tow", "one")])
    #expect(report.description == "Recipe: 1 updated\nStep: 1 updated, 2 unchanged, 1 deleted")
    #expect(try store.lines("Recipe", "steps.text") == ["three,tow,one"])
    #expect(try store.lines("Step", "text", "note") == ["one|was one", "three|was three", "tow|was two"])
    try way.seed(store, ["seed.json": recipe("A", "one", "three", "tow", "new")])
    #expect(try store.lines("Recipe", "steps.text") == ["one,three,tow,new"])
    try way.seed(store, ["seed.json": recipe("A")])
    #expect(try store.count("Step") == 0)
  }

  @Test("equal nested records without a key are distinguished by their number", arguments: SeedWay.allCases)
  func equal(way: SeedWay) throws {
    let store = try way.store(Self.model(isRequired: true))
    try way.seed(store, ["seed.json": recipe("A", "mix", "wait", "mix")])
    let report = try way.seed(store, ["seed.json": recipe("A", "mix", "wait", "mix")], policy: .always)
    #expect(report.total.unchanged == 4)
    try way.seed(store, ["seed.json": recipe("A", "mix")])
    #expect(try store.values("Step", "text") == ["mix"])
  }

  @Test(
    "records nested within nested records without a key are matched with them",
    arguments: SeedWay.allCases,
    [SeedMode.upsert, .merge]
  )
  func deep(way: SeedWay, mode: SeedMode) throws {
    let store = try way.store(Self.model(isRequired: true))
    let seed = { (title: String, hints: [String]) in
      let list = hints.map { "{\"text\": \"\($0)\"}" }.joined(separator: ", ")
      return """
        {"recipes": [{"slug": "a", "title": "\(title)", "cover": {"text": "\(title)"},
          "steps": [{"text": "1", "hints": [\(list)]}, {"text": "2"}]}]}
        """
    }
    try way.seed(store, ["seed.json": seed("A", ["x", "y"])], mode: mode)
    try way.seed(store, ["seed.json": seed("B", ["x", "z"])], mode: mode)
    let report = try way.seed(store, ["seed.json": seed("C", ["z"])], mode: mode)
    #expect(report.conflicts == [])
    #expect(try store.lines("Step", "text", "hints.text") == ["1|z", "2|"])
    #expect(try store.values("Hint", "text") == ["z"])
    #expect(try store.lines("Cover", "text", "recipe.slug") == ["C|a"])
  }

  @Test(
    "a merge keeps a user's changes to nested records without a key, and reports the conflicts",
    arguments: SeedWay.allCases
  )
  func merged(way: SeedWay) throws {
    for policy in SeedConflictPolicy.allCases {
      let store = try way.store(Self.model(isRequired: true))
      try way.seed(store, ["seed.json": recipe("A", "1", "2")], mode: .merge)
      try store.set("Step", "text", "2", "text", to: "mine")
      let same = try way.seed(store, ["seed.json": recipe("B", "1", "2")], mode: .merge)
      #expect(same.conflicts == [])
      #expect(try store.lines("Recipe", "title", "steps.text") == ["B|1,mine"])
      let report = try way.seed(store, ["seed.json": recipe("B", "1", "two")], mode: .merge) {
        $0.conflictPolicy = policy
      }
      #expect(report.conflicts.map(\.key) == ["steps"])
      #expect(try store.lines("Recipe", "steps.text") == [policy == .takeSeed ? "1,two" : "1,mine"])
      #expect(try store.count("Step") == 2)
    }
  }

  @Test("create-only values of nested records without a key are set once", arguments: SeedWay.allCases)
  func createOnly(way: SeedWay) throws {
    let store = try way.store(Self.model(isRequired: false))
    for title in ["A", "B"] {
      try way.seed(store, ["seed.json": recipe(title, title)]) { $0.createOnly = ["Recipe": ["steps"]] }
    }
    #expect(try store.lines("Recipe", "title", "steps.text") == ["B|A"])
    #expect(try store.count("Step") == 1)
  }

  @Test("nested records of an owner that a user has deleted are skipped", arguments: SeedWay.allCases)
  func deletedOwner(way: SeedWay) throws {
    let store = try way.store(Self.model(isRequired: false))
    try way.seed(store, ["seed.json": recipe("A", "1")])
    try store.delete("Recipe", "slug", "a")
    let report = try way.seed(store, ["seed.json": recipe("B", "1")]) { $0.restoresDeletedObjects = false }
    #expect(report.total.skipped == 2)
    #expect(try store.count("Step") == 0)
  }

  @Test(
    "$replace makes a relationship with another delete rule own its destinations",
    arguments: SeedWay.allCases
  )
  func replaced(way: SeedWay) throws {
    let store = try way.store(Self.model(isRequired: true, isOwner: false))
    let seed = { (steps: String) in
      "{\"recipes\": [{\"slug\": \"a\", \"steps\": {\"$replace\": [\(steps)]}}]}"
    }
    try way.seed(store, ["seed.json": seed("{\"text\": \"1\"}, {\"text\": \"2\"}")])
    try way.seed(store, ["seed.json": seed("{\"text\": \"2\"}")])
    #expect(try store.lines("Step", "text", "recipe.slug") == ["2|a"])
  }

  @Test(
    "$replace is refused next to $add, in a to-one relationship, and where an object can have several owners",
    arguments: [
      ("\"steps\": {\"$replace\": [], \"$add\": []}", SeedError.Code.wrongShape),
      ("\"cover\": {\"$replace\": []}", .wrongType),
    ]
  )
  func wrong(fields: String, code: SeedError.Code) throws {
    let store = try TestStore(.inMemory, Self.model(isRequired: false))
    let error = #expect(throws: SeedError.self) {
      try SeedWay.oneSave.seed(store, ["seed.json": "{\"recipes\": [{\"slug\": \"a\", \(fields)}]}"])
    }
    #expect(error?.code == code)
    let notes = try TestStore()
    let other = #expect(throws: SeedError.self) {
      try SeedWay.oneSave.seed(
        notes,
        ["seed.json": "{\"notes\": [{\"title\": \"1\", \"tags\": {\"$replace\": []}}]}"]
      )
    }
    #expect(other?.code == .wrongType)
  }

  @Test(
    "an object with a natural key moves from one owner to another and is not deleted",
    arguments: SeedWay.allCases
  )
  func moved(way: SeedWay) throws {
    let model = TestModel.library {
      $0["Shelf"]?.relationshipsByName["books"]?.deleteRule = .cascadeDeleteRule
    }
    let store = try way.store(model)
    let seed = { (first: String, second: String) in
      """
      {"books": [{"title": "b1"}, {"title": "b2"}],
       "shelves": [{"name": "A", "books": [\(first)]}, {"name": "B", "books": [\(second)]}]}
      """
    }
    try way.seed(store, ["seed.json": seed("\"b1\", \"b2\"", "")])
    try way.seed(store, ["seed.json": seed("\"b2\"", "\"b1\"")])
    #expect(try store.lines("Shelf", "name", "books.title") == ["A|b2", "B|b1"])
    // A record of the run requires the book.
    try way.seed(store, ["seed.json": seed("\"b2\"", "")])
    #expect(try store.values("Book", "title") == ["b1", "b2"])
    try way.seed(store, ["seed.json": "{\"shelves\": [{\"name\": \"A\", \"books\": []}]}"])
    #expect(try store.values("Book", "title") == ["b1"])
  }
}
