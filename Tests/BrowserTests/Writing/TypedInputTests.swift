import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import Browser

@Suite("Fields that suit the type of a value")
struct TypedInputTests {
  @Test("A date that is chosen is staged in the zone that the form names")
  func chosenDate() async throws {
    let store = try BrowsedStore.written()
    let field = try await store.field("createdAt")
    let page = try await store.page("/entity/Note/1/edit")
    #expect(page.contains("name=\"local.\(field)\" type=\"datetime-local\""))
    #expect(page.contains("in the zone \(TimeZone.current.identifier)"))
    let items = [
      ("text.\(field)", ""), ("text-was.\(field)", ""), ("local-was.\(field)", ""),
      ("local.\(field)", "2024-03-17T14:45"),
    ]
    try await store.submit("/entity/Note/1/edit", items)
    let date = try #require(LocalTime().date("2024-03-17T14:45"))
    let local = try #require(LocalTime().field(date))
    #expect(local == "2024-03-17T14:45:00")
    #expect(try await store.page("/entity/Note/1/edit").contains("step=\"1\" value=\"\(local)\""))
  }

  @Test("A date that is typed as a text counts more than the date that is chosen")
  func typedDate() async throws {
    let store = try BrowsedStore.written()
    let field = try await store.field("createdAt")
    let items = [
      ("text.\(field)", "2020-01-02"), ("text-was.\(field)", ""), ("local-was.\(field)", ""),
      ("local.\(field)", "2024-03-17T14:45"),
    ]
    try await store.submit("/entity/Note/1/edit", items)
    #expect(try await store.page("/entity/Note/1/edit").contains("value=\"2020-01-02 00:00:00Z\""))
  }

  @Test("A number field has its bounds and its input mode, and a rule in words")
  func number() async throws {
    let page = try await BrowsedStore.written().page("/entity/Note/1/edit")
    #expect(page.contains("inputmode=\"text\" data-minimum=\"-2147483648\" data-maximum=\"5\""))
    #expect(page.contains("<bdi>at most 5</bdi>") && !page.contains("SELF"))
  }

  @Test("A value that breaks a rule has an error in words")
  func brokenRule() async throws {
    let store = try BrowsedStore.written()
    let rating = try await store.field("rating")
    let items = [("text.\(rating)", "6")]
    let response = try await store.submit("/entity/Note/1/edit", items, status: .unprocessableContent)
    let page = String(buffer: response.body)
    #expect(page.contains("rating must be at most 5: five are the best.") && !page.contains("SELF"))
  }

  @Test("A long text and a text in JSON have a text area with the rows that they need")
  func texts() async throws {
    let store = try BrowsedStore.written()
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", String(repeating: "long ", count: 60))])
    #expect(try await store.page("/entity/Note/1/edit").contains("name=\"text.\(title)\" rows=\"4\""))
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "{\n\"a\": 1\n}")])
    let page = try await store.page("/entity/Note/1/edit")
    #expect(page.contains("name=\"text.\(title)\" rows=\"3\" class=\"code\" spellcheck=\"false\""))
  }
}
