import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@Suite("The page of entities")
struct CataloguePageTests {
  @Test("The page of entities shows every entity with its number of objects")
  func countsObjects() async throws {
    let store = try BrowsedStore { context in
      for number in 0..<3 { _ = BrowsedStore.insert("Note", ["title": "Note \(number)"], in: context) }
      _ = BrowsedStore.insert("Tag", ["name": "garden"], in: context)
    }
    let page = try await store.page("/?counts=all")
    for (name, count) in [("Note", 3), ("Tag", 1), ("Person", 0), ("Attachment", 0)] {
      #expect(
        page.contains("/entity/\(name)\"><bdi>\(name)</bdi></a></th><td class=\"number\">\(count)</td>")
      )
    }
  }

  @Test("A search that finds no entity leaves the number of the model's entities")
  func keepsNumberOfEntities() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Tag", ["name": "garden"], in: $0) }
    let note = try #require(try await store.page("/").firstMatch(of: /[0-9]+ entities in the model/)).output
    #expect(note.first != "0")
    #expect(try await store.page("/?find=nothing").contains(note))
    #expect(try await store.page("/?find=tag").contains(note))
  }

  @Test("The page of entities links to an address for a count that takes longer")
  func countsLater() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Tag", ["name": "garden"], in: $0) }
    #expect(try await store.page("/entity/Tag/count.json") == #"{"count":1,"text":"1"}"#)
  }
}
