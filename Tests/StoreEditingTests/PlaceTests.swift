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
    try await store.session.edit("steps", of: recipe, edit: .place([steps[3]: 1]))
    #expect(try await Self.texts(of: recipe, in: store) == ["d", "a", "b", "c"])
    try await store.session.edit("steps", of: recipe, edit: .place([steps[0]: 4]))
    #expect(try await Self.texts(of: recipe, in: store) == ["d", "b", "c", "a"])
    try await store.session.undo()
    #expect(try await Self.texts(of: recipe, in: store) == ["d", "a", "b", "c"])
  }

  @Test("Objects get all places that are given in one edit, and the others keep their order in the rest")
  func severalPlaces() async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let texts = ["a", "b", "c", "d"]
    let steps = try texts.map { try store.insert("Step", ["text": $0]) }
    for step in steps { try await store.session.edit("steps", of: recipe, edit: .add(step)) }
    // Each object gets no place or one of four, in all combinations without a place twice.
    for number in 0..<625 {
      let digits = [number % 5, number / 5 % 5, number / 25 % 5, number / 125]
      let given = digits.filter { $0 > 0 }
      guard Set(given).count == given.count else { continue }
      let places = zip(steps, digits).filter { $1 > 0 }
      try await store.session.edit("steps", of: recipe, edit: .place(Dictionary(uniqueKeysWithValues: places)))
      let order = try await Self.texts(of: recipe, in: store)
      for (text, digit) in zip(texts, digits) where digit > 0 { #expect(order[digit - 1] == text, "\(digits)") }
      let others = zip(texts, digits).filter { $1 == 0 }.map(\.0)
      #expect(order.filter(others.contains) == others, "\(digits)")
      if order != texts { try await store.session.undo() }
      #expect(try await Self.texts(of: recipe, in: store) == texts)
    }
  }

  @Test("Two objects in one place are refused")
  func samePlace() async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let steps = try ["a", "b", "c"].map { try store.insert("Step", ["text": $0]) }
    for step in steps { try await store.session.edit("steps", of: recipe, edit: .add(step)) }
    let failure = await #expect(throws: EditingFailure.self) {
      try await store.session.edit("steps", of: recipe, edit: .place([steps[0]: 3, steps[1]: 3]))
    }
    #expect(failure?.problem == "steps cannot have two objects in place 3")
    #expect(try await Self.texts(of: recipe, in: store) == ["a", "b", "c"])
  }

  @Test("A place that the list does not have is refused", arguments: [Int.min, -1, 0, 3, .max])
  func wrongPlace(place: Int) async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let steps = try ["a", "b"].map { try store.insert("Step", ["text": $0]) }
    for step in steps { try await store.session.edit("steps", of: recipe, edit: .add(step)) }
    let failure = await #expect(throws: EditingFailure.self) {
      try await store.session.edit("steps", of: recipe, edit: .place([steps[1]: place]))
    }
    #expect(failure?.code == .wrongValue && failure?.remedy == "give a place from 1 to 2")
    #expect(try await Self.texts(of: recipe, in: store) == ["a", "b"])
  }
}
