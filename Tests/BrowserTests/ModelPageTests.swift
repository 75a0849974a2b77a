import Foundation
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

  @Test("draw it, and lead from each entity to its neighbours")
  func diagram() async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/diagram")
    for entity in ["Note", "Person", "Tag", "Attachment"] {
      #expect(page.contains("data-entity=\"\(entity)\""))
      #expect(page.contains("href=\"/diagram?entity=\(entity)&amp;distance=1\""))
    }
    #expect(page.contains("role=\"group\""))
    // A policy without inline styles would leave them out.
    #expect(!page.contains("<style") && !page.contains(" style="))
  }

  @Test("draw an entity with its neighbours alone")
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
    "find an entity by a part of its name",
    arguments: [("TAG", true), ("erso", true), ("nothing<b>", false)]
  )
  func search(text: String, isFound: Bool) async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/diagram?find=\(PageAddress.encoded(text))")
    #expect(page.contains("dg-chosen") == isFound)
    #expect(page.contains("No entity has such a name.") != isFound && !page.contains("<b>"))
  }

  @Test("give a picture that scales to its page")
  func scales() async throws {
    let store = try BrowsedStore()
    let file = try await store.page("/diagram.svg")
    let start = try #require(file.components(separatedBy: ">").first)
    #expect(start.contains("viewBox=") && !start.contains(" width=") && !start.contains(" height="))
  }

  @Test("give the picture as a file", arguments: [("svg", "<svg"), ("dot", "digraph")])
  func files(format: String, start: String) async throws {
    let store = try BrowsedStore()
    let response = try await store.get("/diagram.\(format)?entity=Tag")
    #expect(String(buffer: response.body).contains(start))
    #expect(response.headers[.contentDisposition] == "attachment; filename=\"model.\(format)\"")
  }
}
