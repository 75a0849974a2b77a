import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Counts by value")
struct FacetPageTests {
  private static func fill(_ context: NSManagedObjectContext) {
    for number in 0..<30 {
      let values: [String: Any?] = [
        "title": number % 3 == 0 ? "often" : "title \(number)", "rating": number < 5 ? nil : number,
        "createdAt": Date(timeIntervalSinceReferenceDate: Double(number) * 86_400),
      ]
      _ = BrowsedStore.insert("Note", values, in: context)
    }
  }

  @Test("Each count by value links to a grid with that number of objects")
  func leadsToGrid() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Note/facet?by=title&where=rating+%3E+10")
    let row = try #require(
      page.firstMatch(of: /<a href="([^"]*)"><bdi>often<\/bdi><\/a><\/th><td class="number">(\d+)</)
    )
    #expect(row.output.2 == "6")
    let grid = try await store.page(String(row.output.1.replacing("&amp;", with: "&")))
    #expect(grid.contains("<strong>6</strong> objects"))
    #expect(grid.contains("value=\"(rating &gt; 10) AND ("))
  }

  @Test("A grid names its counts by value in words that stand on the page, and an empty grid does not")
  func name() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "Milk"], in: $0) }
    let page = try await store.page("/entity/Note")
    #expect(page.contains("Counts by value:</span> <a class=\"chip\""))
    #expect(try await !store.page("/entity/Tag").contains("Counts by value"))
  }

  @Test("Counts by a relationship link to the objects that have it")
  func relationship() async throws {
    let store = try BrowsedStore { context in
      let ada = BrowsedStore.insert("Person", ["name": "Ada"], in: context)
      for number in 0..<3 {
        _ = BrowsedStore.insert("Note", ["rating": number, "author": number == 0 ? nil : ada], in: context)
      }
    }
    let page = try await store.page("/entity/Note/facet?by=author")
    let row = try #require(page.firstMatch(of: /<a href="([^"]*)"><bdi>[^<]*Ada/))
    let grid = try await store.page(String(row.output.1.replacing("&amp;", with: "&")))
    #expect(grid.contains("<strong>2</strong> objects"))
  }

  @Test("Counts by an ordered value have a chart", arguments: [("createdAt", true), ("title", false)])
  func chart(property: String, isDrawn: Bool) async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Note/facet?by=\(property)")
    #expect(page.contains("<svg class=\"columns\"") == isDrawn)
  }

  @Test("Counts by value include the objects without a value")
  func none() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Note/facet?by=rating")
    #expect(page.contains("<bdi>none</bdi></a></th><td class=\"number\">5</td>"))
  }

  @Test("Counting a property without values is an error", arguments: ["tags", "nothing", "", "tags.name"])
  func unsuitable(property: String) async throws {
    let store = try BrowsedStore(Self.fill)
    let response = try await store.get("/entity/Note/facet?by=\(property)")
    #expect([.badRequest, .notFound].contains(response.status))
  }

  @Test("Counts in a relationship's grid count its objects, and link to as many")
  func scoped() async throws {
    let store = try BrowsedStore { context in
      let people = ["Ada", "Bob"].map { BrowsedStore.insert("Person", ["name": $0], in: context) }
      for number in 0..<9 {
        let values: [String: Any?] = [
          "title": number % 2 == 0 ? "even" : "odd", "author": people[number % 3 / 2],
        ]
        _ = BrowsedStore.insert("Note", values, in: context)
      }
    }
    let people = try await store.page("/entity/Person")
    for (name, even) in [("Ada", "3"), ("Bob", "2")] {
      let row = try #require(
        people.components(separatedBy: "<tr data-row>").first { $0.contains("<bdi>\(name)<") }
      )
      let link = try #require(row.firstMatch(of: /<td class="number"><a href="([^"]*)"/))
      let grid = try await store.page(String(link.output.1.replacing("&amp;", with: "&")))
      let chip = try #require(grid.firstMatch(of: /href="([^"]*)" data-facet><bdi>title</))
      let facet = try await store.page(String(chip.output.1.replacing("&amp;", with: "&")))
      #expect(facet.contains("Related by <code><bdi>Person.notes</bdi></code>"))
      let value = try #require(
        facet.firstMatch(of: /<a href="([^"]*)"><bdi>even<\/bdi><\/a><\/th><td class="number">(\d+)</)
      )
      #expect(value.output.2 == even, "\(name)")
      let objects = try await store.page(String(value.output.1.replacing("&amp;", with: "&")))
      #expect(objects.contains("<strong>\(even)</strong> objects"))
    }
  }
}
