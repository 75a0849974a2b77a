import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import TestModels
import Testing

@testable import Browser

@Suite("The whole of a text")
struct WholeTextTests {
  private static let long = "begin " + String(repeating: "ü", count: 150_000) + " <b>end</b>"

  /// Checks that the server sends a text as it is stored, and that a browser runs nothing in it.
  private static func check(_ store: BrowsedStore, _ path: String, _ text: String) async throws {
    let response = try await store.get(path)
    #expect(response.status == .ok)
    #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
    #expect(response.headers[.contentDisposition] == nil)
    #expect(response.headers[.contentSecurityPolicy]?.hasSuffix("sandbox") == true)
    #expect(String(buffer: response.body) == text)
  }

  @Test("An object's page with the beginning of a long text links to the whole text")
  func long() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": Self.long], in: $0) }
    let page = try await store.page("/entity/Note/1")
    #expect(page.contains("<a class=\"quiet\" href=\"/entity/Note/1/value/title/page\">stored value</a>"))
    #expect(!page.contains("end&lt;/b&gt;"))
    try await Self.check(store, "/entity/Note/1/value/title", Self.long)
  }

  @Test("The page of a whole text leads back to its object and to the text alone, and markup in it is text")
  func page() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": Self.long], in: $0) }
    let page = try await store.page("/entity/Note/1/value/title/page")
    #expect(page.contains("<li><a href=\"/entity/Note\"><bdi>Note</bdi></a></li>"))
    #expect(page.contains("<li><a href=\"/entity/Note/1\" data-up>"))
    #expect(page.contains("<li aria-current=\"page\"><bdi>title</bdi></li>"))
    #expect(page.contains("href=\"/entity/Note/1/value/title\">Open it alone</a>"))
    #expect(page.contains("üü &lt;b&gt;end&lt;/b&gt;</bdi></pre>") && page.contains("150,017 characters"))
    for value in ["1/value/author", "1/value/rating", "9/value/title"] {
      #expect(try await store.get("/entity/Note/\(value)/page").status == .notFound, "\(value)")
    }
  }

  @Test("The page of a picture leads back to its object and shows the picture")
  func picture() async throws {
    let data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let store = try BrowsedStore { _ = BrowsedStore.insert("Person", ["photo": data], in: $0) }
    let object = try await store.page("/entity/Person/1")
    #expect(object.contains("<a class=\"picture\" href=\"/entity/Person/1/value/photo/page\"><img src="))
    let page = try await store.page("/entity/Person/1/value/photo/page")
    #expect(page.contains("<a href=\"/entity/Person/1\" data-up>"))
    #expect(page.contains("<img src=\"/entity/Person/1/value/photo\" alt=\"photo\">"))
  }

  @Test("The whole text of JSON is as stored, although the object's page formats it")
  func json() async throws {
    let json = #"{"a":1,"a":1.10,"b":[-0]}"#
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": json], in: $0) }
    #expect(try await store.page("/entity/Note/1").contains("href=\"/entity/Note/1/value/title/page\">stored value"))
    try await Self.check(store, "/entity/Note/1/value/title", json)
  }

  @Test("The whole text of a composite element is available, and other paths are not found")
  func composite() async throws {
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [makeAttribute("city"), makeAttribute("zip", .integer64AttributeType)]
    let store = try BrowsedStore(model: makeModel([makeEntity("Shop", place)])) { context in
      _ = BrowsedStore.insert("Shop", ["place": ["city": Self.long, "zip": 7]], in: context)
    }
    let page = try await store.page("/entity/Shop/1")
    #expect(page.contains("href=\"/entity/Shop/1/value/place.city/page\">stored value"))
    try await Self.check(store, "/entity/Shop/1/value/place.city", Self.long)
    for path in ["place.nothing", "place.", ".place", "place.city.city", "..", "nothing.city"] {
      let response = try await store.get("/entity/Shop/1/value/\(path)")
      #expect(response.status == .notFound, "\(path): \(response.status)")
    }
  }
}
