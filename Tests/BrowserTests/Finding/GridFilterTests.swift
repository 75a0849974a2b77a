import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import TestModels
import Testing

@testable import Browser

@Suite("Filters by click")
struct GridFilterTests {
  private static func fill(_ context: NSManagedObjectContext) {
    let ada = BrowsedStore.insert("Person", ["name": "Ada"], in: context)
    for number in 1...4 {
      let values: [String: Any?] = [
        "title": ["Summer", "Winter", "Summer rain", nil][number - 1], "rating": number,
        "createdAt": Date(timeIntervalSinceReferenceDate: Double(number) * 86_400),
      ]
      let note = BrowsedStore.insert("Note", values, in: context)
      if number == 2 { note.setValue(ada, forKey: "author") }
    }
  }

  @Test("The search says that it adds to a predicate, and only if there is one that it keeps")
  func addition() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "Milk"], in: $0) }
    let words = "In addition to the predicate below"
    #expect(try await store.page("/entity/Note?where=rating+%3D%3D+NULL").contains(words))
    #expect(try await !store.page("/entity/Note").contains(words))
    #expect(try await !store.page("/entity/Note?where=titel+%3D%3D+1", status: .badRequest).contains(words))
    let found = try #require(try await store.get("/entity/Note?search=milk").headers[.location])
    #expect(try await store.page(found).contains(words))
  }

  @Test("A search of all texts leads to a grid whose predicate is visible")
  func search() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.followed("/entity/Note?search=SUMMER")
    #expect(page.contains("value=\"title CONTAINS[cd] &quot;SUMMER&quot;\""))
    #expect(page.contains("<strong>2</strong> objects"))
    let narrowed = try await store.followed("/entity/Note?where=rating+%3E+1&sort=title&search=summer")
    #expect(narrowed.contains("value=\"(rating &gt; 1) AND (title CONTAINS[cd] &quot;summer&quot;)\""))
    #expect(narrowed.contains("<strong>1</strong> object") && narrowed.contains("aria-sort=\"ascending\""))
  }

  @Test("A search of an entity without texts is refused with a reason")
  func noTexts() async throws {
    let store = try BrowsedStore(model: ModelOfNumbers.model)
    #expect(try await !store.page("/entity/Number").contains("name=\"search\""))
    #expect(try await store.page("/entity/Number?search=x", status: .badRequest).contains("no texts"))
  }

  @Test("A wrong predicate is not kept by a search")
  func wrongPredicate() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Note?where=titel+%3D%3D+1", status: .badRequest)
    let form = try #require(page.components(separatedBy: "search-texts").dropFirst().first)
    #expect(!form.components(separatedBy: "</form>")[0].contains("titel"))
  }

  @Test(
    "A cell has buttons for the rows with its value and for those without",
    arguments: [
      ("title", 1, "title == &quot;Summer&quot;", 1, 3), ("title", 4, "title == NULL", 1, 3),
      ("rating", 3, "rating == 3", 1, 3), ("author", 2, "author == $Person_p1", 1, 3),
      ("author", 1, "author == NULL", 3, 1),
      ("createdAt", 1, "createdAt == &quot;2001-01-02&quot;", 1, 3),
    ]
  )
  func cells(property: String, rating: Int, predicate: String, same: Int, others: Int) async throws {
    let store = try BrowsedStore(Self.fill)
    let key = try await store.key(of: "Note", where: "rating == \(rating)")
    let grid = try await store.page("/entity/Note")
    #expect(grid.contains("name=\"only\" value=\"\(key).\(property)\""))
    let only = try await store.followed("/entity/Note?only=\(key).\(property)")
    #expect(only.contains("value=\"\(predicate)\""), "\(only)")
    #expect(only.contains("<strong>\(same)</strong> object"))
    let without = try await store.followed("/entity/Note?without=\(key).\(property)")
    #expect(without.contains("<strong>\(others)</strong> object"))
  }

  @Test(
    "A filter by a value that does not exist is an error",
    arguments: [
      "only=x.title", "only=1", "without=0.title", "only=-1.title", "only=99.title", "only=1.nothing",
      "only=1.tags",
      "without=1.", "only=99999999999999999999.title",
    ]
  )
  func odd(items: String) async throws {
    let store = try BrowsedStore(Self.fill)
    let response = try await store.get("/entity/Note?\(items)")
    #expect((400..<500).contains(response.status.code), "\(response.status)")
  }

  @Test("The page of an object leads from each value to the objects with it")
  func objectPage() async throws {
    let store = try BrowsedStore(Self.fill)
    let key = try await store.key(of: "Note", where: "rating == 1")
    let page = try await store.page("/entity/Note/\(key)")
    #expect(
      page.contains("href=\"/entity/Note?only=\(key).title\"") && page.contains("?without=\(key).rating\"")
    )
    #expect(try await store.followed("/entity/Note?without=\(key).title").contains("<strong>3</strong>"))
  }

  @Test(
    "The page of a column filters by its type",
    arguments: [
      ("title", "do=text&condition=contains&value=rain", 1),
      ("title", "do=text&condition=excludes&value=rain", 3),
      ("title", "do=none", 1), ("rating", "do=between&least=2&most=3", 2), ("rating", "do=some", 4),
      ("createdAt", "do=between&least=2001-01-03&most=2001-01-04", 2), ("author", "do=some", 1),
      ("tags", "do=none", 4), ("isPinned", "do=true", 0),
    ]
  )
  func columns(property: String, form: String, count: Int) async throws {
    let store = try BrowsedStore(Self.fill)
    #expect(try await store.page("/entity/Note").contains("/entity/Note/filter?by=\(property)\""))
    let page = try await store.page("/entity/Note/filter?by=\(property)&sort=title")
    #expect(page.contains("name=\"sort\" value=\"title\"") && page.contains("value=\"none\">is none"))
    let grid = try await store.followed("/entity/Note/filter?by=\(property)&\(form)")
    #expect(grid.contains(count == 0 ? "There are no such objects" : "<strong>\(count)</strong> object"))
  }

  @Test("A value of the wrong type is shown again in the column's form with the reason")
  func wrongValue() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page(
      "/entity/Note/filter?by=rating&do=between&least=many%3Cb%3E&most=3",
      status: .badRequest
    )
    #expect(page.contains("write a whole number") && page.contains("value=\"many&lt;b&gt;\""))
    _ = try await store.page("/entity/Note/filter?by=nothing", status: .notFound)
    _ = try await store.page("/entity/Note/filter", status: .notFound)
  }

  @Test("A part of a page has the form alone, for a script")
  func part() async throws {
    let store = try BrowsedStore(Self.fill)
    let part = try await store.page("/entity/Note/filter?by=title&part=1")
    #expect(part.contains("class=\"facet column\"") && !part.contains("<html"))
  }

  @Test("Duplicates are found by attributes and by uniqueness constraints, and lead to their objects")
  func duplicates() async throws {
    let model = BrowsedStore.notes
    model.entitiesByName["Tag"]?.uniquenessConstraints = [["name"]]
    let store = try BrowsedStore(model: model) { context in
      for title in ["a <b>", "a <b>", "b"] {
        _ = BrowsedStore.insert("Note", ["title": title, "rating": 1], in: context)
      }
    }
    #expect(try await store.page("/entity/Note").contains("href=\"/entity/Note/duplicates\""))
    let page = try await store.page("/entity/Note/duplicates?by=title&by=rating")
    let row = try #require(page.firstMatch(of: /<td class="number"><a href="([^"]*)">2<\/a>/))
    #expect(page.contains("<bdi>a &lt;b&gt;</bdi>") && !page.contains("<bdi>b</bdi></td>"))
    let grid = try await store.page(String(row.output.1.replacing("&amp;", with: "&")))
    #expect(grid.contains("<strong>2</strong> objects"))
    #expect(
      try await store.page("/entity/Tag/duplicates").contains("href=\"/entity/Tag/duplicates?by=name\"")
    )
    #expect(try await store.page("/entity/Tag/duplicates?by=name").contains("There are no duplicates by"))
    #expect(try await store.get("/entity/Note/duplicates?by=tags").status == .badRequest)
    #expect(try await store.get("/entity/Note/duplicates?by=nothing").status == .notFound)
  }
}

/// A model of an entity without text attributes.
enum ModelOfNumbers {
  static var model: NSManagedObjectModel {
    makeModel([makeEntity("Number", makeAttribute("value", .integer32AttributeType))])
  }
}

extension BrowsedStore {
  /// The page that the response redirects to.
  func followed(_ path: String) async throws -> String {
    let response = try await get(path)
    #expect(response.status == .seeOther, "\(path)")
    return try await page(try #require(response.headers[.location]))
  }
}
