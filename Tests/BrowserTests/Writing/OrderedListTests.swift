import CoreData
import HTTPTestClient
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import Browser

@Suite("Ordered relationships on the page of a form")
struct OrderedListTests {
  private static func store() throws -> BrowsedStore {
    let model = BrowsedStore.writtenModel
    model.entitiesByName["Person"]?.relationshipsByName["notes"]?.isOrdered = true
    return try BrowsedStore(model: model, allowsWriting: true) { context in
      let ada = BrowsedStore.insert("Person", ["name": "Ada"], in: context)
      for title in ["one", "two", "three"] {
        _ = BrowsedStore.insert("Note", ["title": title, "author": ada], in: context)
        try context.save()
      }
    }
  }

  private static func order(_ store: BrowsedStore) async throws -> [String] {
    let page = try await store.page("/entity/Person/1/edit")
    return page.matches(of: #/<li><a href="[^"]*"><bdi>(one|two|three)</bdi>/#).map { String($0.output.1) }
  }

  @Test("An object is moved to the typed place, the typed values stay, and the field has the focus")
  func place() async throws {
    let store = try Self.store()
    let before = try await Self.order(store)
    let page = try await store.page("/entity/Person/1/edit")
    #expect(before.count == 3 && page.contains("type=\"number\" min=\"1\" max=\"3\""))
    let names = page.matches(of: #/name="(place\.notes\.[0-9]+ Note)"/#).map { String($0.output.1) }
    let name = try await store.field("name", at: "/entity/Person/1/edit")
    let last = try #require(names.last)
    let key = try #require(last.firstMatch(of: /[0-9]+/)).output
    let items = [("text.\(name)", "Ada L."), (last, "1"), ("do", "places")]
    let response = try await store.submit("/entity/Person/1/relate/notes", items)
    #expect(response.headers[.location] == "/entity/Person/1/edit#place-notes-\(key)-Note")
    #expect(try await Self.order(store) == [before[2], before[0], before[1]])
    let moved = try await store.page("/entity/Person/1/edit")
    #expect(moved.contains("Ada L.") && moved.contains("id=\"place-notes-\(key)-Note\""))
  }

  @Test("Objects are moved to all typed places as one edit, and the review lists the new order")
  func severalPlaces() async throws {
    let store = try Self.store()
    let before = try await Self.order(store)
    let page = try await store.page("/entity/Person/1/edit")
    let names = page.matches(of: #/name="(place\.notes\.[0-9]+ Note)"/#).map { String($0.output.1) }
    // The middle object keeps its place, because the other two exchange theirs.
    let items = [(names[0], "3"), (names[1], ""), (names[2], "1"), ("do", "places")]
    try await store.submit("/entity/Person/1/relate/notes", items)
    #expect(try await Self.order(store) == before.reversed())
    let review = try await store.page("/edits")
    let list = try #require(review.firstMatch(of: #/in this order: <ol>([\s\S]*?)</ol>/#)).output.1
    let order = list.matches(of: #/<bdi>(one|two|three)</bdi>/#).map { String($0.output.1) }
    #expect(order == before.reversed())
    try await store.submit("/edits/undo")
    #expect(try await Self.order(store) == before)
  }

  @Test("Two objects in one place are refused, and the order stays")
  func samePlace() async throws {
    let store = try Self.store()
    let before = try await Self.order(store)
    let page = try await store.page("/entity/Person/1/edit")
    let names = page.matches(of: #/name="(place\.notes\.[0-9]+ Note)"/#).map { String($0.output.1) }
    let items = [(names[0], "2"), (names[2], "2"), ("do", "places")]
    try await store.submit("/entity/Person/1/relate/notes", items, status: .unprocessableContent)
    #expect(try await Self.order(store) == before)
  }

  @Test("A button that moves an object has the focus again")
  func focus() async throws {
    let store = try Self.store()
    let page = try await store.page("/entity/Person/1/edit")
    let match = try #require(page.matches(of: #/value="later ([0-9]+) Note"/#).first)
    let key = match.output.1
    let response = try await store.submit("/entity/Person/1/relate/notes", [("do", "later \(key) Note")])
    #expect(response.headers[.location] == "/entity/Person/1/edit#later-notes-\(key)-Note")
    #expect(try await store.page("/entity/Person/1/edit").contains("id=\"later-notes-\(key)-Note\""))
  }

  @Test(
    "A place that the list does not have is refused, and the order stays",
    arguments: ["0", "4", "first"]
  )
  func wrongPlace(place: String) async throws {
    let store = try Self.store()
    let before = try await Self.order(store)
    let page = try await store.page("/entity/Person/1/edit")
    let name = String(try #require(page.firstMatch(of: #/name="(place\.notes\.[0-9]+ Note)"/#)).output.1)
    let items = [(name, place), ("do", "places")]
    try await store.submit("/entity/Person/1/relate/notes", items, status: .unprocessableContent)
    #expect(try await Self.order(store) == before)
  }
}
