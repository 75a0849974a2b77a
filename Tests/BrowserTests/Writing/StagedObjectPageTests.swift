import CoreData
import HTTPTestClient
import NIOCore
import Testing

@testable import Browser

@Suite("The page of an object with unsaved changes")
struct StagedObjectPageTests {
  private static let longTitle = String(repeating: "long ", count: 400)

  /// A store with two people, a note by Ada with the tag `kitchen`, and the tag `garden`.
  private static func store(title: String = "Milk", ordered: Bool = false) throws -> BrowsedStore {
    let model = BrowsedStore.writtenModel
    model.entitiesByName["Person"]?.relationshipsByName["notes"]?.isOrdered = ordered
    return try BrowsedStore(model: model, allowsWriting: true) { context in
      for name in ["Ada", "Grace"] {
        _ = BrowsedStore.insert("Person", ["name": name], in: context)
        try context.save()
      }
      for name in ["kitchen", "garden"] {
        _ = BrowsedStore.insert("Tag", ["name": name], in: context)
        try context.save()
      }
      let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      let note = BrowsedStore.insert("Note", ["title": title, "rating": 3], in: context)
      note.setValue(people.first { $0.value(forKey: "name") as? String == "Ada" }, forKey: "author")
      note.setValue(
        NSSet(array: tags.filter { $0.value(forKey: "name") as? String == "kitchen" }),
        forKey: "tags"
      )
    }
  }

  /// The text of an attribute's value on a page, without markup.
  private static func value(_ name: String, on page: String) throws -> String {
    let start = try #require(page.range(of: "<div class=\"value\"><dt><bdi>\(name)</bdi>"))
    let end = try #require(page[start.upperBound...].range(of: "</dd></div>"))
    let text = page[start.upperBound..<end.lowerBound]
    return words(text[try #require(text.range(of: "<dd>")).upperBound...])
  }

  /// The text of a relationship's list on a page, without markup.
  private static func list(_ name: String, on page: String) throws -> String {
    let start = try #require(page.range(of: "<h3><bdi>\(name)</bdi>"))
    let rest = page[try #require(page[start.upperBound...].range(of: "</h3>")).upperBound...]
    return words(rest[..<(try #require(rest.range(of: "</div>")).lowerBound)])
  }

  private static func words(_ markup: Substring) -> String {
    markup.replacing(/<[^>]*>/, with: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("A staged value is the value, and the saved one is next to it")
  func attribute() async throws {
    let store = try Self.store()
    let (title, weight) = (try await store.field("title"), try await store.field("weight"))
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "Oat milk"), ("text.\(weight)", "1.5")])
    let page = try await store.page("/entity/Note/1")
    #expect(try Self.value("title", on: page) == "Oat milk saved: Milk")
    #expect(try Self.value("weight", on: page) == "1.5 saved: none")
    #expect(try !Self.value("rating", on: page).contains("saved:"))
    #expect(page.contains("<h1><bdi>Oat milk</bdi></h1>"))
    try await store.submit("/edits/save")
    let saved = try await store.page("/entity/Note/1")
    #expect(try Self.value("title", on: saved).hasPrefix("Oat milk Only these"))
    #expect(!saved.contains("class=\"saved\"") && !saved.contains("id=\"saved-lists\""))
  }

  @Test("A value that is staged to be none shows the saved one")
  func none() async throws {
    let store = try Self.store()
    let rating = try await store.field("rating")
    try await store.submit("/entity/Note/1/edit", [("text.\(rating)", "")])
    #expect(try Self.value("rating", on: try await store.page("/entity/Note/1")) == "none saved: 3")
  }

  @Test(
    "A saved value that is shown in part leads to all of it, and a staged one does not lead to the saved one"
  )
  func long() async throws {
    let store = try Self.store(title: Self.longTitle)
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", #"{"a":1}"#)])
    let page = try await store.page("/entity/Note/1")
    let links = page.matches(of: #/<a class="quiet" href="/entity/Note/1/value/title/page">stored value</a></span>/#)
    #expect(links.count == 1)
    #expect(page.components(separatedBy: "/entity/Note/1/value/title").count == 2)
    #expect(try Self.value("title", on: page).contains("saved: long long"))
  }

  @Test("Markup in a staged and in a saved value is text")
  func escaping() async throws {
    let store = try Self.store(title: "<i>old</i>")
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "<i>new</i>")])
    let page = try await store.page("/entity/Note/1")
    #expect(!page.contains("<i>"))
    #expect(page.contains("&lt;i&gt;old") && page.contains("&lt;i&gt;new"))
  }

  @Test(
    "The staged destination of a relationship to one object is the destination, and the saved one is next to it"
  )
  func toOne() async throws {
    let store = try Self.store()
    try await store.submit("/entity/Note/1/relate/author", [("do", "set 2 Person")])
    let page = try await store.page("/entity/Note/1")
    #expect(try Self.list("author", on: page) == "Grace saved: Ada")
    try await store.submit("/entity/Note/1/relate/author", [("do", "none")])
    #expect(try Self.list("author", on: try await store.page("/entity/Note/1")) == "none saved: Ada")
  }

  @Test("A new destination is marked, and links to its form")
  func newDestination() async throws {
    let store = try Self.store()
    let name = try await store.field("name", at: "/entity/Person/new")
    try await store.submit("/entity/Person/new", [("text.\(name)", "Alan")])
    try await store.submit("/entity/Note/1/relate/author", [("do", "set new-1 Person")])
    let page = try await store.page("/entity/Note/1")
    #expect(try Self.list("author", on: page) == "Alan new , not saved saved: Ada")
    #expect(page.contains("<a href=\"/entity/Person/new-1/edit\"><bdi>Alan</bdi></a>"))
  }

  @Test("Added and removed destinations of a relationship to many objects are marked in its list")
  func toMany() async throws {
    let store = try Self.store()
    try await store.submit("/entity/Note/1/relate/tags", [("do", "remove 1 Tag")])
    try await store.submit("/entity/Note/1/relate/tags", [("do", "add 2 Tag")])
    let page = try await store.page("/entity/Note/1")
    let list = try Self.list("tags", on: page)
    #expect(list.contains("kitchen removed , not saved") && list.contains("garden added , not saved"))
    #expect(page.contains("id=\"saved-lists\""))
  }

  @Test("Related objects with unsaved changes of their own are marked")
  func related() async throws {
    let store = try Self.store()
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "Oat milk")])
    let person = try await store.page("/entity/Person/1")
    #expect(try Self.list("notes", on: person).hasPrefix("Milk changed , not saved"))
    try await store.submit("/entity/Note/1/deletion")
    let again = try await store.page("/entity/Person/1")
    #expect(try Self.list("notes", on: again).hasPrefix("Milk deleted , not saved"))
  }

  @Test("A changed order is said, and the saved order is shown")
  func reordered() async throws {
    let store = try Self.store(ordered: true)
    let title = try await store.field("title", at: "/entity/Note/new")
    try await store.submit("/entity/Note/new", [("text.\(title)", "Bread")])
    try await store.submit("/entity/Note/new-1/relate/author", [("do", "set 1 Person")])
    try await store.submit("/edits/save")
    let before = try Self.list("notes", on: try await store.page("/entity/Person/1"))
    let form = try await store.page("/entity/Person/1/edit")
    let first = try #require(form.firstMatch(of: #/value="later ([0-9]+) Note"/#)).output.1
    try await store.submit("/entity/Person/1/relate/notes", [("do", "later \(first) Note")])
    let list = try Self.list("notes", on: try await store.page("/entity/Person/1"))
    #expect(before.contains("2.") && list.hasPrefix(before))
    #expect(list.contains("The order is changed and not saved. The list has the saved order."))
  }
}
