import CoreData
import Foundation
import StoreExploration
import Testing

@testable import StoreEditing

@Suite("Staged changes")
struct UndoTests {
  @Test("staged changes are undone and redone by edit and name", arguments: EditedKind.allCases)
  func undo(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Milk", "text": "a"])
    try await store.session.stage(["title": FieldInput("Soup"), "text": FieldInput("b")], of: recipe)
    try await store.session.stage(["title": FieldInput("Stew")], of: recipe)
    #expect(store.session.summary.undone == "Edit of Recipe \"Soup\"")
    #expect(try await store.session.undo() == "Edit of Recipe \"Soup\"")
    #expect(try await store.field("title", of: recipe).text == "Soup")
    #expect(try await store.session.undo() == "Edit of Recipe \"Milk\"")
    #expect(try await store.field("title", of: recipe).text == "Milk")
    #expect(store.session.summary.count == 0 && store.session.summary.undone == nil)
    #expect(try await store.session.undo() == nil)
    #expect(try await store.session.redo() == "Edit of Recipe \"Milk\"")
    #expect(try await store.field("text", of: recipe).text == "b")
    #expect(try await store.session.redo() != nil)
    #expect(try await store.session.redo() == nil)
    #expect(try await store.field("title", of: recipe).text == "Stew")
  }

  @Test(
    "an undone creation is redone with the same object",
    arguments: EditedKind.allCases
  )
  func undoCreation(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let new = try await store.session.create("Recipe", inputs: ["title": FieldInput("Soup")])
    try await store.session.undo()
    await #expect(throws: EditingFailure.self) { _ = try await store.session.form(of: new) }
    try await store.session.redo()
    #expect(try await store.session.form(of: new).link.object == new)
    #expect(try await store.session.save().isSaved)
    #expect(try store.count("Recipe") == 1)
  }

  @Test("an undone deletion restores the cascaded objects too", arguments: EditedKind.allCases)
  func undoDeletion(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let step = try store.insert("Step", ["text": "Boil"])
    try await store.session.edit("steps", of: recipe, edit: .add(step))
    #expect(try await store.session.save().isSaved)
    #expect(try await store.session.delete(recipe) == 2)
    let review = try await store.session.review()
    #expect(review.deletedCount == 2)
    #expect(review.objects.filter(\.isTakenAlong).map(\.link.object) == [step])
    await #expect(throws: EditingFailure.self) { _ = try await store.session.form(of: step) }
    try await store.session.undo()
    #expect(store.session.summary.count == 0)
    #expect(try await store.session.form(of: recipe).relationships.first { $0.name == "steps" }?.count == 1)
  }

  @Test("staged changes can be discarded as a whole", arguments: EditedKind.allCases)
  func discard(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    try await store.session.stage(["title": FieldInput("Stew")], of: recipe)
    _ = try await store.session.create("Tag", inputs: ["name": FieldInput("warm")])
    try await store.session.discard()
    #expect(store.session.summary == StagedSummary())
    #expect(try await store.field("title", of: recipe).text == "Soup")
    #expect(try await store.session.save().isSaved)
    #expect(try store.count("Tag") == 0)
  }

  @Test("a review shows the old and the new value of each staged change, at its place in the store")
  func review() async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup", "text": "a"])
    let book = try store.insert("Book", ["name": "Basics"])
    let tag = try store.insert("Tag", ["name": "warm"])
    try await store.session.stage(["text": FieldInput("b")], of: recipe)
    try await store.session.edit("book", of: recipe, edit: .set(book))
    try await store.session.edit("tags", of: recipe, edit: .add(tag))
    let new = try await store.session.create("Step", inputs: ["text": FieldInput("Boil")])
    let review = try await store.session.review()
    #expect(review.objects.map(\.link.object) == [new, recipe] && review.untoldCount == 0)
    #expect(store.session.summary.count == 2)
    let changes = Dictionary(
      uniqueKeysWithValues: review.objects[1].changes.map { ($0.property, $0.difference) }
    )
    #expect(changes["text"] == .value(before: .value(.text("a")), after: .value(.text("b"))))
    let link = EditedLink(object: book, name: "Basics")
    #expect(changes["book"] == .value(before: .object(nil), after: .object(link)))
    guard case .members(let added, let removed, 0, nil)? = changes["tags"] else {
      Issue.record("the tags are \(String(describing: changes["tags"]))")
      return
    }
    #expect(added.map(\.object) == [tag] && removed.isEmpty)
    #expect(try await store.session.stagedChanges(of: recipe)?.changes.count == 3)
    #expect(try await store.session.stagedChanges(of: book)?.kind == nil)
  }

  @Test("changes beyond a page's limit are counted")
  func cap() async throws {
    let store = try EditedStore()
    for number in 0..<205 {
      _ = try await store.session.create("Tag", inputs: ["name": FieldInput("\(number)")])
    }
    let review = try await store.session.review()
    #expect(review.objects.count == 200 && review.untoldCount == 5 && review.count == 205)
  }
}
