import CoreData
import HTTPTestClient
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import Browser

@Suite("Pages of deletions that the model forbids")
struct ForbiddenDeletionPageTests {
  private static func store() throws -> BrowsedStore {
    let model = BrowsedStore.writtenModel
    model.entitiesByName["Person"]?.relationshipsByName["notes"]?.deleteRule = .denyDeleteRule
    return try BrowsedStore.written(model: model)
  }

  private static let disabled =
    "<button class=\"button destructive\" type=\"submit\" disabled aria-describedby=\"refusal\">"
  private static let enabled = "<button class=\"button destructive\" type=\"submit\">"

  @Test("A deletion that a Deny rule forbids has a disabled button with the reason, and is refused")
  func deny() async throws {
    let store = try Self.store()
    let page = try await store.page("/entity/Person/1/deletion")
    #expect(page.contains(Self.disabled) && !page.contains(Self.enabled))
    #expect(page.contains("id=\"refusal\"><bdi>Ada cannot be deleted while Person.notes leads to 1 object."))
    let response = try await store.submit("/entity/Person/1/deletion", status: .conflict)
    #expect(String(buffer: response.body).contains("Ada cannot be deleted while Person.notes"))
    #expect(try await !store.page("/").contains("data-review"))
  }

  @Test("A deletion that staged changes have made possible has its button, and is staged")
  func madePossible() async throws {
    let store = try Self.store()
    try await store.submit("/entity/Note/1/relate/author", [("do", "none")])
    let page = try await store.page("/entity/Person/1/deletion")
    #expect(page.contains(Self.enabled) && !page.contains(Self.disabled))
    #expect(page.contains("The changes that are not saved make it possible."))
    try await store.submit("/entity/Person/1/deletion")
    try await store.submit("/edits/save")
    #expect(try store.count("Person") == 0 && store.count("Note") == 1)
  }

  @Test("An object that is staged to be deleted cannot be deleted again")
  func twice() async throws {
    let store = try Self.store()
    try await store.submit("/entity/Note/1/deletion")
    let page = try await store.page("/entity/Note/1/deletion")
    #expect(page.contains(Self.disabled) && page.contains("is staged to be deleted"))
  }
}
