import CoreData
import Testing

@testable import StoreEditing

@Suite("Places in ordered relationships")
struct PlaceTests {
  private static func texts(of recipe: EditedObject, in store: EditedStore) async throws -> [String] {
    let form = try await store.session.form(of: recipe)
    return form.relationships.first { $0.name == "steps" }?.objects.map(\.name) ?? []
  }

  @Test("An object is moved by several places as one edit", arguments: EditedKind.allCases)
  func place(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let steps = try ["a", "b", "c", "d"].map { try store.insert("Step", ["text": $0]) }
    for step in steps { try await store.session.edit("steps", of: recipe, edit: .add(step)) }
    try await store.session.edit("steps", of: recipe, edit: .place(steps[3], at: 1))
    #expect(try await Self.texts(of: recipe, in: store) == ["d", "a", "b", "c"])
    try await store.session.edit("steps", of: recipe, edit: .place(steps[0], at: 4))
    #expect(try await Self.texts(of: recipe, in: store) == ["d", "b", "c", "a"])
    try await store.session.undo()
    #expect(try await Self.texts(of: recipe, in: store) == ["d", "a", "b", "c"])
  }

  @Test("A place that the list does not have is refused", arguments: [Int.min, -1, 0, 3, .max])
  func wrongPlace(place: Int) async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let steps = try ["a", "b"].map { try store.insert("Step", ["text": $0]) }
    for step in steps { try await store.session.edit("steps", of: recipe, edit: .add(step)) }
    let failure = await #expect(throws: EditingFailure.self) {
      try await store.session.edit("steps", of: recipe, edit: .place(steps[1], at: place))
    }
    #expect(failure?.code == .wrongValue && failure?.remedy == "give a place from 1 to 2")
    #expect(try await Self.texts(of: recipe, in: store) == ["a", "b"])
  }
}
