import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("The pages of the model")
struct ModelPageTests {
  @Test("The model pages show the rules of every property")
  func rules() async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/model")
    for entity in ["Note", "Person", "Tag", "Attachment"] {
      #expect(page.contains("id=\"entity-\(entity)\""))
    }
    #expect(page.contains("<bdi>createdAt</bdi></th><td>Date</td>"))
    #expect(page.contains("<bdi>subject</bdi></th><td>to one</td>"))
  }

  @Test("The model pages show a diagram with links from each entity to its neighbors")
  func diagram() async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/diagram")
    for entity in ["Note", "Person", "Tag", "Attachment"] {
      #expect(page.contains("data-entity=\"\(entity)\""))
      #expect(page.contains("href=\"/diagram?entity=\(entity)&amp;distance=1\""))
    }
    #expect(page.contains("role=\"group\""))
    // A content security policy without inline styles would block them.
    #expect(!page.contains("<style") && !page.contains(" style="))
  }

  @Test("An entity's page shows a diagram of the entity and its neighbors only")
  func part() async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/diagram?entity=Tag&distance=1")
    #expect(page.contains("id=\"model-entity-Note\"") && !page.contains("id=\"model-entity-Attachment\""))
    #expect(
      try await store.page("/diagram?entity=Nothing&distance=x").contains("id=\"model-entity-Attachment\"")
    )
  }

  @Test("mark the entity that is chosen, and list its neighbours and its objects")
  func chosen() async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/diagram?entity=Note&distance=1")
    #expect(page.components(separatedBy: "dg-chosen").count == 2)
    for neighbor in ["Person", "Tag", "Attachment"] {
      #expect(
        page.contains("<li><a href=\"/diagram?entity=\(neighbor)&amp;distance=1\"><bdi>\(neighbor)</bdi>")
      )
    }
    #expect(page.contains("<a href=\"/entity/Note\">objects</a>"))
    let whole = try await store.page("/diagram?entity=Tag&distance=all")
    #expect(whole.contains("data-entity=\"Attachment\"") && whole.contains("dg-chosen"))
  }

  @Test(
    "The model pages find an entity by a part of its name",
    arguments: [("TAG", true), ("erso", true), ("nothing<b>", false)]
  )
  func search(text: String, isFound: Bool) async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/diagram?find=\(PageAddress.encoded(text))")
    #expect(page.contains("dg-chosen") == isFound)
    #expect(page.contains("No entity has such a name.") != isFound && !page.contains("<b>"))
  }

  @Test("The diagram of the model scales to its page")
  func scales() async throws {
    let store = try BrowsedStore()
    let file = try await store.page("/diagram.svg")
    let start = try #require(file.components(separatedBy: ">").first)
    #expect(start.contains("viewBox=") && !start.contains(" width=") && !start.contains(" height="))
  }

  @Test("The diagram can be downloaded as a file", arguments: [("svg", "<svg"), ("dot", "digraph")])
  func files(format: String, start: String) async throws {
    let store = try BrowsedStore()
    let response = try await store.get("/diagram.\(format)?entity=Tag")
    #expect(String(buffer: response.body).contains(start))
    #expect(response.headers[.contentDisposition] == "attachment; filename=\"model.\(format)\"")
  }
}
