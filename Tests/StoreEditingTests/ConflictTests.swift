import CoreData
import Foundation
import StoreExploration
import Testing

@testable import StoreEditing

@Suite("Conflicts with other writers")
struct ConflictTests {
  private static let kinds = EditedKind.allCases

  /// A recipe that both the user and another context have changed, and the conflict.
  private static func changed(_ store: EditedStore) async throws -> (EditedObject, EditingConflict) {
    let recipe = try store.insert("Recipe", ["title": "Soup", "text": "a", "servings": 1])
    try await store.session.stage(["title": FieldInput("Mine"), "text": FieldInput("mine")], of: recipe)
    try store.change(recipe) {
      $0.setValue("Theirs", forKey: "title")
      $0.setValue(2, forKey: "servings")
    }
    let conflicts = try await store.session.save().conflicts
    return (recipe, try #require(conflicts.first))
  }

  @Test("conflicts show the values of all three versions, and lose nothing", arguments: kinds)
  func values(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let (recipe, conflict) = try await Self.changed(store)
    #expect(conflict.object.object == recipe && conflict.kind == .changed && conflict.sides.isEmpty)
    let properties = Dictionary(uniqueKeysWithValues: conflict.properties.map { ($0.name, $0) })
    #expect(Set(properties.keys) == ["title", "text", "servings"])
    #expect(properties["title"]?.base == .value(.text("Soup")))
    #expect(properties["title"]?.mine == .value(.text("Mine")))
    #expect(properties["title"]?.theirs == .value(.text("Theirs")))
    #expect(properties["text"]?.customarySide == .mine && properties["servings"]?.customarySide == .theirs)
    #expect(store.session.summary.conflictCount == 1 && store.session.summary.count == 1)
    #expect(try await store.field("title", of: recipe).text == "Mine")
  }

  @Test("conflicts are resolved for mine or for theirs by property", arguments: kinds)
  func settle(kind: EditedKind) async throws {
    for side in [EditingConflict.Side.mine, .theirs] {
      let store = try EditedStore(kind)
      let (recipe, _) = try await Self.changed(store)
      #expect(try await store.session.settle([recipe: .properties(["title": side])]).isSaved)
      #expect(try store.text(recipe, "title") == (side == .mine ? "Mine" : "Theirs"))
      #expect(try store.text(recipe, "text") == "mine")
      #expect(try store.stored(recipe) { $0.value(forKey: "servings") as? Int } == 2)
      #expect(store.session.summary == StagedSummary())
    }
  }

  @Test("conflicts are resolved against values that only others changed", arguments: kinds)
  func keepBase(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let (recipe, _) = try await Self.changed(store)
    let sides: [String: EditingConflict.Side] = ["title": .theirs, "text": .theirs, "servings": .mine]
    #expect(try await store.session.settle([recipe: .properties(sides)]).isSaved)
    #expect(try store.text(recipe, "text") == "a")
    #expect(try store.stored(recipe) { $0.value(forKey: "servings") as? Int } == 1)
  }

  @Test("unresolved conflicts are reported again", arguments: kinds)
  func undecided(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let (recipe, _) = try await Self.changed(store)
    #expect(try await store.session.settle([:]).conflicts.count == 1)
    #expect(try store.text(recipe, "title") == "Theirs")
  }

  @Test("a resolution applies to the shown values: another save is a new conflict", arguments: kinds)
  func changedAgain(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let (recipe, _) = try await Self.changed(store)
    try store.change(recipe) { $0.setValue("Theirs again", forKey: "title") }
    let conflicts = try await store.session.settle([recipe: .properties(["title": .mine])]).conflicts
    let title = conflicts.first?.properties.first { $0.name == "title" }
    #expect(title?.theirs == .value(.text("Theirs again")))
    #expect(try await store.session.settle([recipe: .properties(["title": .mine])]).isSaved)
    #expect(try store.text(recipe, "title") == "Mine")
  }

  @Test("conflicts about objects that others deleted end by discarding", arguments: kinds)
  func deletedThere(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let tag = try await store.session.create("Tag", inputs: ["name": FieldInput("warm")])
    try await store.session.stage(["title": FieldInput("Mine")], of: recipe)
    try store.change(recipe) { $0.managedObjectContext?.delete($0) }
    let conflict = try #require(try await store.session.save().conflicts.first)
    #expect(conflict.kind == .deletedThere && conflict.sides == [.theirs])
    #expect(try await store.session.settle([recipe: .whole(.mine)]).conflicts.count == 1)
    #expect(try await store.session.settle([recipe: .whole(.theirs)]).isSaved)
    #expect(try store.count("Recipe") == 0)
    // The unrelated tag is saved as well.
    #expect(try await !store.session.form(of: tag).link.object.isNew)
  }

  @Test("there is no conflict if both sides have deleted the object", arguments: kinds)
  func bothDeleted(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    try await store.session.delete(recipe)
    try store.change(recipe) { $0.managedObjectContext?.delete($0) }
    #expect(try await store.session.save().isSaved)
    #expect(try store.count("Recipe") == 0)
  }

  @Test("a deletion of an object that others changed can be resolved both ways", arguments: kinds)
  func deletedHere(kind: EditedKind) async throws {
    for side in [EditingConflict.Side.mine, .theirs] {
      let store = try EditedStore(kind)
      let recipe = try store.insert("Recipe", ["title": "Soup"])
      try await store.session.delete(recipe)
      try store.change(recipe) { $0.setValue("Theirs", forKey: "title") }
      let conflict = try #require(try await store.session.save().conflicts.first)
      #expect(conflict.kind == .deletedHere && conflict.sides == [.mine, .theirs])
      #expect(try await store.session.settle([recipe: .whole(side)]).isSaved)
      #expect(try store.count("Recipe") == (side == .mine ? 0 : 1))
    }
  }

  @Test(
    "resolving a deletion for theirs restores what it cascaded to, except explicitly deleted objects",
    arguments: kinds
  )
  func takenAlong(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    try store.change(recipe) { recipe in
      guard let context = recipe.managedObjectContext else { return }
      for text in ["Cut", "Cook", "Eat"] {
        let step = NSEntityDescription.insertNewObject(forEntityName: "Step", into: context)
        step.setValue(text, forKey: "text")
        step.setValue(recipe, forKey: "recipe")
      }
    }
    let eating = try store.write { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Step")
      request.predicate = NSPredicate(format: "text == 'Eat'")
      return EditedObject(entity: "Step", key: try #require(try context.fetch(request).first).objectID.key)
    }
    try await store.session.delete(eating)
    #expect(try await store.session.delete(recipe) == 3)
    try store.change(recipe) { $0.setValue("Theirs", forKey: "title") }
    let conflict = try #require(try await store.session.save().conflicts.first)
    #expect(conflict.object.object == recipe && conflict.kind == .deletedHere)
    #expect(try await store.session.settle([recipe: .whole(.theirs)]).isSaved)
    #expect(try store.text(recipe, "title") == "Theirs")
    let steps = try store.stored(recipe) { recipe in
      (recipe.value(forKey: "steps") as? NSOrderedSet)?.array.compactMap {
        ($0 as? NSManagedObject)?.value(forKey: "text") as? String
      }
    }
    #expect(steps == ["Cut", "Cook"])
    #expect(try store.count("Step") == 2)
  }

  @Test("a uniqueness conflict of a new object can be resolved both ways", arguments: kinds)
  func notUnique(kind: EditedKind) async throws {
    for side in [EditingConflict.Side.mine, .theirs] {
      let store = try EditedStore(kind)
      let book = try await store.session.create("Book", inputs: ["name": FieldInput("Basics")])
      let other = try store.insert("Book", ["name": "Basics"])
      let conflict = try #require(try await store.session.save().conflicts.first)
      guard case .notUnique(["name"], let holder, true) = conflict.kind else {
        Issue.record("the conflict is \(conflict.kind)")
        return
      }
      #expect(holder?.object == other && conflict.object.object == book)
      #expect(try await store.session.settle([book: .whole(side)]).isSaved)
      #expect(try store.count("Book") == 1)
    }
  }

  @Test("conflicts among staged objects are reported, and resolved by an edit", arguments: kinds)
  func notUniqueHere(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    _ = try await store.session.create("Book", inputs: ["name": FieldInput("Basics")])
    let second = try await store.session.create("Book", inputs: ["name": FieldInput("Basics")])
    let conflict = try #require(try await store.session.save().conflicts.first)
    #expect(conflict.needsEdit)
    try await store.session.stage(["name": FieldInput("More")], of: second)
    #expect(try await store.session.save().isSaved)
    #expect(try store.count("Book") == 2)
  }

  @Test("there is no conflict if others have only added related objects", arguments: kinds)
  func onlyVersion(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let book = try store.insert("Book", ["name": "Basics"])
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    try await store.session.stage(["name": FieldInput("More")], of: book)
    guard case .key(let key) = book.identity else { return }
    try store.change(recipe) { object in
      let coordinator = object.managedObjectContext?.persistentStoreCoordinator
      guard let entity = coordinator?.managedObjectModel.entitiesByName["Book"],
        let id = coordinator?.objectID(of: entity, key: key)
      else { return }
      object.setValue(object.managedObjectContext?.object(with: id), forKey: "book")
    }
    #expect(try await store.session.save().isSaved)
    #expect(try store.text(book, "name") == "More")
  }
}
