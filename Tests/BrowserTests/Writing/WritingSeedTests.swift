import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Seeds that are pasted")
struct WritingSeedTests {
  private static let seed = #"{"tags": [{"name": "garden"}, {"name": "cellar"}]}"#

  @Test("A pasted seed is previewed first, and is imported once")
  func takeIn() async throws {
    let store = try BrowsedStore.written()
    let response = try await store.submit("/seed", [("seed", Self.seed)])
    let place = try #require(response.headers[.location])
    let page = try await store.page(place)
    #expect(page.contains("<bdi>Tag</bdi></th><td class=\"number\">2</td>"))
    #expect(try store.count("Tag") == 1)
    for _ in 0..<2 { #expect(try await store.submit(place).headers[.location] == place) }
    #expect(try await store.page(place).contains("The seed was imported"))
    #expect(try store.count("Tag") == 3)
  }

  @Test(
    "An invalid pasted seed is shown with the position of the error",
    arguments: [
      "", " ", "{", "[]", "{\"tags\": [{\"nam\": 1}]}", "{\"nothing\": []}", "{\"tags\": [{\"name\": 1}]",
    ]
  )
  func wrong(text: String) async throws {
    let store = try BrowsedStore.written()
    let response = try await store.submit("/seed", [("seed", text)], status: .unprocessableContent)
    let page = String(buffer: response.body)
    #expect(page.contains("id=\"problem\"") && page.contains("aria-invalid=\"true\""))
    if text.contains("nam\"") { #expect(page.contains("pasted.json:1")) }
    #expect(try store.count("Tag") == 1)
  }

  @Test("A pasted seed is previewed once for the redirected page, and again when the page is reloaded")
  func previews() async throws {
    let store = try BrowsedStore.written()
    let response = try await store.submit("/seed", [("seed", Self.seed)])
    let place = try #require(response.headers[.location])
    // A seed is not previewed while there are staged changes.
    let name = try await store.field("name", at: "/entity/Tag/new")
    try await store.submit("/entity/Tag/new", [("text.\(name)", "new")])
    #expect(try await store.page(place).contains("<bdi>Tag</bdi></th><td class=\"number\">2</td>"))
    _ = try await store.page(place, status: .conflict)
  }

  @Test("A pasted seed must wait until the staged changes are saved")
  func staged() async throws {
    let store = try BrowsedStore.written()
    let name = try await store.field("name", at: "/entity/Tag/new")
    try await store.submit("/entity/Tag/new", [("text.\(name)", "new")])
    let response = try await store.submit("/seed", [("seed", Self.seed)], status: .conflict)
    #expect(String(buffer: response.body).contains("save or discard them"))
  }
}
