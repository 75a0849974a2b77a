import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Values typed into the form of an object")
struct TypedValueTests {
  @Test("A typed value stays when a relationship button is pressed")
  func relationshipButton() async throws {
    let store = try BrowsedStore.written()
    let rating = try await store.field("rating")
    let items = [("text.\(rating)", "4"), ("do", "none")]
    let response = try await store.submit("/entity/Note/1/relate/author", items)
    #expect(response.headers[.location] == "/entity/Note/1/edit#relationship-author")
    let page = try await store.page("/entity/Note/1/edit")
    #expect(page.contains("name=\"text.\(rating)\" type=\"text\" value=\"4\""))
    #expect(!page.contains("<bdi>Ada</bdi>"))
  }

  @Test("A typed value stays when the page of candidates is opened, and the relationship is as it was")
  func choose() async throws {
    let store = try BrowsedStore.written()
    let rating = try await store.field("rating")
    let items = [("text.\(rating)", "4"), ("do", "choose")]
    let response = try await store.submit("/entity/Note/1/relate/author", items)
    #expect(response.headers[.location] == "/entity/Note/1/relate/author")
    let page = try await store.page("/entity/Note/1/edit")
    #expect(page.contains("value=\"4\"") && page.contains("<bdi>Ada</bdi>"))
  }

  @Test("An invalid value is shown again with its error when a relationship button is pressed")
  func wrongValue() async throws {
    let store = try BrowsedStore.written()
    let rating = try await store.field("rating")
    let items = [("text.\(rating)", "six"), ("do", "none")]
    let response = try await store.submit(
      "/entity/Note/1/relate/author",
      items,
      status: .unprocessableContent
    )
    let page = String(buffer: response.body)
    #expect(page.contains("value=\"six\"") && page.contains("id=\"error-\(rating)\""))
    #expect(page.contains("<bdi>Ada</bdi>") && !page.contains("data-review"))
  }

  @Test("A button that asks for no known edit is refused, and its values are not staged")
  func unknownButton() async throws {
    let store = try BrowsedStore.written()
    let rating = try await store.field("rating")
    let items = [("text.\(rating)", "4"), ("do", "forget")]
    try await store.submit("/entity/Note/1/relate/author", items, status: .badRequest)
    #expect(try await !store.page("/entity/Note/1/edit").contains("data-review"))
  }

  @Test("Every relationship button of a form sends the values of the form")
  func buttons() async throws {
    let page = try await BrowsedStore.written().page("/entity/Note/1/edit")
    #expect(page.contains("<form class=\"edit\" id=\"values\""))
    let buttons = page.matches(of: /<button[^>]*name="do"[^>]*>/)
    #expect(!buttons.isEmpty)
    for button in buttons {
      #expect(button.output.contains("form=\"values\" formaction=\"/entity/Note/1/relate/"))
    }
  }
}
