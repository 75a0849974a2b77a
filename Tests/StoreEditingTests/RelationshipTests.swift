import CoreData
import Foundation
import StoreExploration
import Testing

@testable import StoreEditing

@Suite("Edits of relationships")
struct RelationshipTests {
  private static func objects(_ relationship: String, of object: EditedObject, in store: EditedStore)
    async throws
    -> [String]
  {
    let form = try await store.session.form(of: object)
    return form.relationships.first { $0.name == relationship }?.objects.map(\.name) ?? []
  }

  @Test("a relationship's destination can be set and removed", arguments: EditedKind.allCases)
  func toOne(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let book = try store.insert("Book", ["name": "Basics"])
    #expect(try await store.session.edit("book", of: recipe, edit: .set(book)))
    #expect(try await !store.session.edit("book", of: recipe, edit: .set(book)))
    #expect(try await Self.objects("book", of: recipe, in: store) == ["Basics"])
    #expect(try await Self.objects("recipes", of: book, in: store) == ["Soup"])
    #expect(try await store.session.save().isSaved)
    let name = try store.stored(recipe) {
      ($0.value(forKey: "book") as? NSManagedObject)?.value(forKey: "name") as? String
    }
    #expect(name == "Basics")
    try await store.session.edit("book", of: recipe, edit: .set(nil))
    #expect(try await store.session.save().isSaved)
    #expect(try store.stored(recipe) { $0.value(forKey: "book") == nil })
  }

  @Test("add, take out, and move in an order", arguments: EditedKind.allCases)
  func ordered(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let steps = try ["a", "b", "c"].map { try store.insert("Step", ["text": $0]) }
    for step in steps { try await store.session.edit("steps", of: recipe, edit: .add(step)) }
    #expect(try await Self.objects("steps", of: recipe, in: store) == ["a", "b", "c"])
    try await store.session.edit("steps", of: recipe, edit: .move(steps[2], by: -1))
    #expect(try await Self.objects("steps", of: recipe, in: store) == ["a", "c", "b"])
    try await store.session.edit("steps", of: recipe, edit: .move(steps[0], by: .max))
    #expect(try await Self.objects("steps", of: recipe, in: store) == ["c", "b", "a"])
    try await store.session.edit("steps", of: recipe, edit: .remove(steps[1]))
    #expect(try await store.session.save().isSaved)
    let texts = try store.stored(recipe) { recipe in
      (recipe.value(forKey: "steps") as? NSOrderedSet)?.array.map {
        ($0 as? NSManagedObject)?.value(forKey: "text") as? String
      }
    }
    #expect(texts == ["c", "a"])
  }

  @Test("a relationship can lead to an unsaved object; both are saved", arguments: EditedKind.allCases)
  func toNewObject(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try await store.session.create("Recipe", inputs: ["title": FieldInput("Soup")])
    let tag = try await store.session.create("Tag", inputs: ["name": FieldInput("warm")])
    try await store.session.edit("tags", of: recipe, edit: .add(tag))
    #expect(try await store.session.save().isSaved)
    #expect(try await Self.objects("tags", of: recipe, in: store) == ["warm"])
    #expect(try await Self.objects("recipes", of: tag, in: store) == ["Soup"])
  }

  @Test("destinations of another entity or of another kind are refused")
  func refusals() async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let tag = try store.insert("Tag", ["name": "warm"])
    for edit in [RelationshipEdit.set(tag), .add(tag), .move(tag, by: 1)] {
      await #expect(throws: EditingFailure.self) {
        try await store.session.edit("book", of: recipe, edit: edit)
      }
    }
    await #expect(throws: EditingFailure.self) {
      try await store.session.edit("tags", of: recipe, edit: .set(tag))
    }
    await #expect(throws: (any Error).self) {
      try await store.session.edit("title", of: recipe, edit: .add(tag))
    }
    #expect(store.session.summary == StagedSummary())
  }

  @Test("edits of a relationship with very many objects are refused here, and possible from the inverse")
  func tooMany() async throws {
    let store = try EditedStore()
    let book = try store.insert("Book", ["name": "All"])
    guard case .key(let key) = book.identity else { return }
    try store.write { context in
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Book", in: context))
      let id = try #require(context.persistentStoreCoordinator?.objectID(of: entity, key: key))
      for number in 0...1_000 {
        let recipe = NSEntityDescription.insertNewObject(forEntityName: "Recipe", into: context)
        recipe.setValue("r\(number)", forKey: "title")
        recipe.setValue(context.object(with: id), forKey: "book")
      }
    }
    let form = try await store.session.form(of: book)
    let recipes = try #require(form.relationships.first { $0.name == "recipes" })
    #expect(recipes.fixedBecause != nil && recipes.objects.isEmpty)
    let soup = try store.insert("Recipe", ["title": "Soup"])
    await #expect(throws: EditingFailure.self) {
      try await store.session.edit("recipes", of: book, edit: .add(soup))
    }
    #expect(try await store.session.edit("book", of: soup, edit: .set(book)))
    #expect(try await store.session.save().isSaved)
  }

  @Test("a form offers pages of candidates, found by name", arguments: EditedKind.allCases)
  func candidates(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let tags = try (0..<45).map { try store.insert("Tag", ["name": "tag \($0)"]) }
    try await store.session.edit("tags", of: recipe, edit: .add(tags[0]))
    let new = try await store.session.create("Tag", inputs: ["name": FieldInput("tag that is new")])
    try await store.session.delete(tags[1])
    var page = try await store.session.candidates(for: "tags", of: recipe)
    #expect(page.new.map(\.link.object) == [new])
    var found = page.found
    while let next = page.next {
      page = try await store.session.candidates(for: "tags", of: recipe, at: next)
      #expect(page.new.isEmpty)
      found += page.found
    }
    #expect(found.count == 44 && found.filter(\.isChosen).map(\.link.object) == [tags[0]])
    let search = try await store.session.candidates(for: "tags", of: recipe, search: "TAG 4")
    #expect(search.found.map(\.link.name) == ["tag 4", "tag 40", "tag 41", "tag 42", "tag 43", "tag 44"])
    let hostile = try await store.session.candidates(
      for: "tags",
      of: recipe,
      search: "\" OR 1 == 1 OR name == \""
    )
    #expect(hostile.found.isEmpty)
  }
}
