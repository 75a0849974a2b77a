import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import StoreExploration
import TestModels
import Testing

@testable import Browser

@Suite("Ways between pages")
struct WayfindingTests {
  private static func store(
    _ count: Int,
    countLimit: Duration = .seconds(3_600)
  ) throws -> BrowsedStore {
    try BrowsedStore(countLimit: countLimit) { context in
      for number in 0..<count {
        _ = BrowsedStore.insert("Note", ["title": "Note \(number)", "rating": number], in: context)
      }
    }
  }

  private static func link(_ page: String, _ mark: String) throws -> String {
    let pattern = try Regex("<a [^>]*href=\"([^\"]*)\"[^>]*\(mark)")
    let match = try #require(page.firstMatch(of: pattern)?.output[1].substring)
    return String(match.replacing("&amp;", with: "&"))
  }

  @Test("A page shows its range of rows and their total, forwards and backwards")
  func ranges() async throws {
    let store = try Self.store(120)
    var page = try await store.page("/entity/Note?sort=rating")
    #expect(Self.range(page) == "1 to 50 of 120")
    page = try await store.page(try Self.link(page, "rel=\"next\""))
    #expect(Self.range(page) == "51 to 100 of 120")
    page = try await store.page(try Self.link(page, "rel=\"next\""))
    #expect(Self.range(page) == "101 to 120 of 120")
    page = try await store.page(try Self.link(page, "rel=\"prev\""))
    #expect(Self.range(page) == "51 to 100 of 120")
    page = try await store.page(try Self.link(page, ">Last<"))
    #expect(Self.range(page) == "71 to 120 of 120")
    page = try await store.page(try Self.link(page, "rel=\"prev\""))
    #expect(Self.range(page) == "21 to 70 of 120")
    page = try await store.page(try Self.link(page, "rel=\"prev\""))
    #expect(Self.range(page) == "1 to 20 of 120")
  }

  /// The row numbers that a page shows, followed by the total.
  private static func range(_ page: String) -> Substring? {
    page.firstMatch(of: /class="note range">(\d+ to \d+ of \d+)/)?.output.1
  }

  @Test(
    "An invalid number of a first row is not shown",
    arguments: ["at=x", "at=-3", "at=0", "at=", "at=9223372036854775807", "at=99999999999999999999"]
  )
  func oddNumbers(item: String) async throws {
    let store = try Self.store(160)
    let page = try await store.page("/entity/Note?after=60&\(item)")
    #expect(!page.contains(" of 160<"))
  }

  @Test("An object's breadcrumb links to its row, with the filter, the order and the page")
  func back() async throws {
    let store = try Self.store(120)
    let first = try await store.page("/entity/Note?where=rating+%3C+110&sort=rating&order=desc")
    let second = try await store.page(try Self.link(first, "rel=\"next\""))
    let row = try #require(second.firstMatch(of: /id="(row-\d+)"><a href="([^"]*)"/))
    let object = try await store.page(String(row.output.2.replacing("&amp;", with: "&")))
    let up = try Self.link(object, "data-up")
    #expect(up.hasSuffix("#\(row.output.1)"))
    let again = try await store.page(String(up.prefix { $0 != "#" }))
    #expect(again.contains("id=\"\(row.output.1)\"") && again.contains("value=\"rating &lt; 110\""))
    #expect(Self.range(again) == "51 to 100 of 110")
  }

  @Test("Objects are gone through in the order of the grid that they were opened from")
  func neighbors() async throws {
    let store = try Self.store(5)
    let grid = try await store.page("/entity/Note?where=rating+!%3D+2&sort=rating&order=desc")
    let rows = grid.matches(of: /id="row-\d+"><a href="([^"]*)"/).map {
      $0.output.1.replacing("&amp;", with: "&")
    }
    var page = try await store.page(String(try #require(rows.first)))
    #expect(!page.contains("rel=\"prev\""))
    var titles: [String] = []
    for _ in 0..<10 {
      titles.append(String(try #require(page.firstMatch(of: /<h1><bdi>([^<]*)/)).output.1))
      guard page.contains("rel=\"next\"") else { break }
      page = try await store.page(try Self.link(page, "rel=\"next\""))
    }
    #expect(titles == ["Note 4", "Note 3", "Note 1", "Note 0"])
    #expect(try Self.link(page, "rel=\"prev\"").hasPrefix("/entity/Note/"))
  }

  @Test("An object whose neighbors take longer to find than its page may links to searches for them")
  func laterNeighbors() async throws {
    let store = try Self.store(3, countLimit: .nanoseconds(1))
    let page = try await store.page("/entity/Note/2?from=sort%3Drating")
    #expect(try Self.link(page, "rel=\"prev\"").hasPrefix("/entity/Note/2/previous"))
    #expect(try Self.link(page, "rel=\"next\"").hasPrefix("/entity/Note/2/next"))
    let last = try await store.page("/entity/Note/3?end=next")
    #expect(!last.contains("rel=\"next\"") && last.contains("rel=\"prev\""))
  }

  @Test("Counts that take longer than their page may are loaded later")
  func laterCounts() async throws {
    let store = try Self.store(60, countLimit: .nanoseconds(1))
    #expect(try await store.page("/").contains("data-count=\"/entity/Note/count.json\""))
    #expect(try await store.page("/entity/Note").contains("data-count=\"/entity/Note/count.json"))
    let prompt = try Self.store(60)
    #expect(try await !prompt.page("/").contains("data-count"))
    #expect(try await !prompt.page("/entity/Note").contains("data-count"))
  }

  @Test("The links to the previous and the next object lead there, and stay at the ends")
  func steps() async throws {
    let store = try Self.store(2)
    #expect(try await store.followed("/entity/Note/1/next").contains("<h1><bdi>Note 1</bdi>"))
    #expect(try await store.followed("/entity/Note/2/previous").contains("<h1><bdi>Note 0</bdi>"))
    let response = try await store.get("/entity/Note/2/next")
    #expect(response.headers[.location] == "/entity/Note/2?end=next")
  }

  @Test(
    "An invalid grid in the address does not change the object's page",
    arguments: [
      "entity=Nothing", "where=%3D%3D", "sort=nothing", "where=<b>",
      "of=Person&key=7&owner=Person&relationship=notes",
      String(repeating: "x", count: 9_000), "after=x&value=t",
    ]
  )
  func oddOrigins(text: String) async throws {
    let store = try Self.store(3)
    let page = try await store.page("/entity/Note/2?from=\(PageAddress.encoded(text))")
    #expect(page.contains("<h1><bdi>Note 1</bdi>") && !page.contains("<b>"))
  }

  @Test("The list of entities has the numbers that were counted lately, and a box that narrows it")
  func sidebar() async throws {
    let store = try Self.store(3)
    #expect(try await store.page("/entity/Tag").contains("data-side-counts=\"/counts.json\""))
    #expect(try await store.page("/counts.json").contains(#""Note":"3""#))
    let page = try await store.page("/model")
    #expect(page.contains("data-entity=\"Note\">3</span>") && !page.contains("data-side-counts"))
    let found = try await store.page("/?find=tA")
    #expect(found.contains("/model#entity-Tag") && !found.contains("/model#entity-Person"))
    #expect(try await store.page("/?find=nothing%3Cb%3E").contains("There are no such entities."))
  }

  @Test("Numbers in the list of entities are forgotten after a while")
  func oldCounts() {
    let counts = KnownCounts()
    let now = ContinuousClock.now
    counts.add(3, of: "Note", at: now)
    counts.add(4, of: "Tag", at: now.advanced(by: .seconds(20)))
    #expect(counts.all(at: now.advanced(by: .seconds(29))) == ["Note": 3, "Tag": 4])
    #expect(counts.all(at: now.advanced(by: .seconds(31))) == ["Tag": 4])
  }

  @Test("The header shows whether the pages are read-only", arguments: [true, false])
  func mode(allowsWriting: Bool) async throws {
    let store = try BrowsedStore(allowsWriting: allowsWriting)
    let page = try await store.page("/")
    #expect(
      page.contains("mode\">editing<") == allowsWriting && page.contains("mode\">read only<") != allowsWriting
    )
  }

  @Test("A tab without contents explains itself")
  func missing() async throws {
    let store = try BrowsedStore()
    let page = try await store.page("/")
    #expect(
      page.contains("class=\"missing\">History</a>") && page.contains("class=\"missing\">Comparison</a>")
    )
    #expect(try await store.page("/history").contains("NSPersistentHistoryTrackingKey"))
    #expect(try await store.page("/comparison").contains("--compare"))
  }

  @Test("Objects with equal names are distinguished by their keys and a second value")
  func names() async throws {
    let store = try BrowsedStore { context in
      let ada = BrowsedStore.insert("Person", ["name": "Ada"], in: context)
      for rating in [1, 2] {
        _ = BrowsedStore.insert("Note", ["title": "Lisbon", "rating": rating, "author": ada], in: context)
      }
    }
    let key = try await store.key(of: "Note", where: "rating == 2")
    let page = try await store.page("/entity/Person/1")
    #expect(page.contains("<bdi>Lisbon</bdi></a> <span class=\"note\"><bdi>\(key) · 2</bdi></span>"))
  }
}

@Suite("Values that lead out of the store")
struct OutgoingLinkTests {
  @Test(
    "A web address in a value is a link that sends no referrer",
    arguments: ["https://example.com/a?b=1&c", "http://example.com"]
  )
  func links(text: String) async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": text], in: $0) }
    let page = try await store.page("/entity/Note/1")
    let escaped = text.replacing("&", with: "&amp;")
    #expect(
      page.contains(
        "<a href=\"\(escaped)\" rel=\"noopener noreferrer\"><bdi class=\"line\">\(escaped)</bdi></a>"
      )
    )
  }

  @Test(
    "Nothing else is a link",
    arguments: [
      "javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "file:///etc/passwd",
      "ftp://example.com/",
      "https://", "https:/example.com", "//example.com", "https://exa\u{202E}mple.com",
      "java\tscript:alert(1)",
      "http://a b", "see https://example.com", "vbscript:x", " https://example.com", "https:example.com",
    ]
  )
  func noLinks(text: String) async throws {
    #expect(WebLink.address(text) == nil)
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": text], in: $0) }
    #expect(try await !store.page("/entity/Note/1").contains("noopener"))
  }

  @Test("Coordinates link to a map if they are a place on the earth")
  func map() async throws {
    let place = makeEntity(
      "Place",
      makeAttribute("name"),
      makeAttribute("latitude", .doubleAttributeType),
      makeAttribute("lng", .doubleAttributeType)
    )
    let store = try BrowsedStore(model: makeModel([place])) { context in
      _ = BrowsedStore.insert("Place", ["name": "Lisbon", "latitude": 38.7223, "lng": -9.1393], in: context)
      _ = BrowsedStore.insert("Place", ["name": "Nowhere", "latitude": 380.0, "lng": -9.1], in: context)
      _ = BrowsedStore.insert("Place", ["name": "Half", "latitude": 38.0], in: context)
    }
    let key = try await store.key(of: "Place", where: "name == 'Lisbon'")
    let page = try await store.page("/entity/Place/\(key)")
    #expect(
      page.contains(
        "https://www.openstreetmap.org/?mlat=38.7223000&amp;mlon=-9.1393000#map=14/38.7223000/-9.1393000"
      )
    )
    #expect(page.contains("rel=\"noopener noreferrer\">Map</a>"))
    for name in ["Nowhere", "Half"] {
      let key = try await store.key(of: "Place", where: "name == '\(name)'")
      #expect(try await !store.page("/entity/Place/\(key)").contains("openstreetmap"))
    }
  }
}
