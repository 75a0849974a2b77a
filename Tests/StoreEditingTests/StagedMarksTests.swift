import CoreData
import StoreExploration
import TestModels
import Testing

@testable import StoreEditing

@Suite("Marks of staged changes")
struct StagedMarksTests {
  @Test("changed and deleted objects have marks, and new objects are counted", arguments: EditedKind.allCases)
  func kinds(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let tag = try store.insert("Tag", ["name": "warm"])
    let other = try store.insert("Tag", ["name": "cold"])
    #expect(store.session.marks == StagedMarks())
    try await store.session.stage(["title": FieldInput("Stew")], of: recipe)
    try await store.session.delete(tag)
    _ = try await store.session.create("Tag", inputs: ["name": FieldInput("new")])
    let marks = store.session.marks
    #expect(marks.kind(of: recipe) == .updated && marks.kind(of: tag) == .deleted)
    #expect(marks.kind(of: other) == nil)
    #expect(marks.newCount(of: "Tag") == 1 && marks.newCount(of: "Recipe") == 0)
    for _ in 0..<3 { try await store.session.undo() }
    #expect(store.session.marks == StagedMarks())
    for _ in 0..<3 { try await store.session.redo() }
    #expect(store.session.marks == marks)
    #expect(try await store.session.save().isSaved)
    #expect(store.session.marks == StagedMarks())
  }

  @Test("new objects of a subentity are counted and reviewed with the entity")
  func subentity() async throws {
    let dish = makeEntity("Dish", makeAttribute("name"))
    let soup = makeEntity("Soup")
    dish.subentities = [soup]
    let store = try EditedStore(model: makeModel([dish, soup]))
    let new = try await store.session.create("Soup", inputs: ["name": FieldInput("Borscht")])
    #expect(store.session.marks.newCount(of: "Dish") == 1 && store.session.marks.newCount(of: "Soup") == 1)
    #expect(try await store.session.reviewOfNew("Dish").objects.map(\.link.object) == [new])
  }

  @Test("the review of new objects leaves out other entities, and changed and deleted objects")
  func review() async throws {
    let store = try EditedStore()
    let tag = try store.insert("Tag", ["name": "warm"])
    try await store.session.stage(["name": FieldInput("hot")], of: tag)
    let new = try await store.session.create("Tag", inputs: ["name": FieldInput("new")])
    _ = try await store.session.create("Book", inputs: ["name": FieldInput("Basics")])
    let review = try await store.session.reviewOfNew("Tag")
    #expect(review.objects.map(\.link.object) == [new] && review.count == 1)
    await #expect(throws: ExplorationFailure.self) { _ = try await store.session.reviewOfNew("Nothing") }
  }
}
