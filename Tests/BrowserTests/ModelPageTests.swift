import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("The pages of the model")
struct ModelPageTests {
  @Test("say the rules of every property")
  func rules() async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/model")
    for entity in ["Note", "Person", "Tag", "Attachment"] {
      #expect(page.contains("id=\"entity-\(entity)\""))
    }
    #expect(page.contains("<bdi>createdAt</bdi></th><td>Date</td>"))
    #expect(page.contains("<bdi>subject</bdi></th><td>to one</td>"))
  }

  @Test("draw it, and lead from each entity to its objects")
  func diagram() async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/diagram")
    for entity in ["Note", "Person", "Tag", "Attachment"] {
      #expect(page.contains("data-entity=\"\(entity)\""))
      #expect(page.contains("href=\"/entity/\(entity)\""))
    }
    // A policy without inline styles would leave them out.
    #expect(!page.contains("<style") && !page.contains(" style="))
  }

  @Test("draw an entity with its neighbours alone")
  func part() async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/diagram?entity=Tag&distance=1")
    #expect(page.contains("data-entity=\"Note\"") && !page.contains("data-entity=\"Attachment\""))
    #expect(try await store.page("/diagram?entity=Nothing&distance=x").contains("data-entity=\"Attachment\""))
  }

  @Test("give the picture as a file", arguments: [("svg", "<svg"), ("dot", "digraph")])
  func files(format: String, start: String) async throws {
    let store = try BrowsedStore()
    let response = try await store.get("/diagram.\(format)?entity=Tag")
    #expect(String(buffer: response.body).contains(start))
    #expect(response.headers[.contentDisposition] == "attachment; filename=\"model.\(format)\"")
  }
}
