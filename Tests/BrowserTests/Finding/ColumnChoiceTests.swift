import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("The columns of a grid")
struct ColumnChoiceTests {
  private static func store() throws -> BrowsedStore {
    try BrowsedStore { context in
      _ = BrowsedStore.insert("Note", ["title": "One", "rating": 4, "weight": 2.5], in: context)
    }
  }

  /// The names of the columns in the head of a page's table.
  private static func columns(_ page: String) throws -> [String] {
    let head = try #require(
      page.components(separatedBy: "<thead>").dropFirst().first?.components(separatedBy: "</thead>").first
    )
    return head.matches(of: /<bdi>([^<]*)<\/bdi>/).map { String($0.output.1) }
  }

  @Test("The address determines the columns and their order, and all links of the grid keep them")
  func address() async throws {
    let store = try Self.store()
    let page = try await store.page("/entity/Note?columns=rating,title:wide")
    #expect(try Self.columns(page) == ["rating", "title"])
    #expect(page.contains("class=\"column-wide\"") && !page.contains("2.5"))
    #expect(page.contains("sort=rating&amp;columns=rating%2Ctitle%3Awide\""))
    #expect(page.contains("Columns (6 hidden)") || page.contains("hidden)"))
  }

  @Test("A choice is remembered for the entity until it is reset")
  func remembered() async throws {
    let store = try Self.store()
    let standard = try Self.columns(try await store.page("/entity/Note"))
    _ = try await store.page("/entity/Note?columns=rating")
    #expect(try Self.columns(try await store.page("/entity/Note")) == ["rating"])
    #expect(try await store.page("/entity/Tag?where=name+!%3D+NULL").contains("There are no such objects"))
    #expect(try await store.page("/entity/Note").contains("data-columns=\"rating\""))
    #expect(try Self.columns(try await store.page("/entity/Note?columns=standard")) == standard)
    #expect(try Self.columns(try await store.page("/entity/Note")) == standard)
  }

  @Test("The page of columns hides, shows, moves and widens them by buttons alone")
  func buttons() async throws {
    let store = try Self.store()
    _ = try await store.followed("/entity/Note/columns?columns=rating,title,weight&column=title&do=hide")
    #expect(try Self.columns(try await store.page("/entity/Note")) == ["rating", "weight"])
    let page = try await store.followed("/entity/Note/columns?column=weight&do=first")
    #expect(page.contains("Show<span class=\"visually-hidden\">: title</span>"))
    let grid = try await store.followed("/entity/Note/columns?column=weight&do=narrow&then=grid")
    #expect(try Self.columns(grid) == ["weight", "rating"] && grid.contains("number column-narrow"))
    _ = try await store.followed("/entity/Note/columns?column=title&do=show")
    #expect(try Self.columns(try await store.page("/entity/Note")) == ["weight", "rating", "title"])
    #expect(try await store.get("/entity/Note/columns?column=nothing&do=hide").status == .badRequest)
  }

  @Test(
    "Choices that no page has written show what there is",
    arguments: [
      "columns=%3A", "columns=nothing", "columns=,,,:,", "columns=%3Cscript%3E", "columns=title,title",
    ]
  )
  func odd(items: String) async throws {
    let page = try await Self.store().page("/entity/Note?\(items)")
    #expect(page.contains("<strong>1</strong> object") && !page.contains("<script>alert"))
  }

  @Test("Pictures are shown in small, and other bytes by their number")
  func thumbnails() async throws {
    let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 0, count: 300)
    let store = try BrowsedStore { context in
      _ = BrowsedStore.insert("Person", ["name": "Ada", "photo": picture], in: context)
      _ = BrowsedStore.insert("Person", ["name": "Bob", "photo": Data("<svg/>".utf8)], in: context)
    }
    let page = try await store.page("/entity/Person")
    let key = try await store.key(of: "Person", where: "name == 'Ada'")
    #expect(
      page.contains(
        "<img class=\"thumbnail\" src=\"/entity/Person/\(key)/value/photo\" alt=\"\" loading=\"lazy\">"
      )
    )
    #expect(page.components(separatedBy: "class=\"thumbnail\"").count == 2)
  }
}
