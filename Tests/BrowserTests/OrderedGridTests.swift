import CoreData
import Foundation
import HTTPTestClient
import NIOCore
import TestModels
import Testing

@testable import Browser

@Suite("The grid of an ordered relationship")
struct OrderedGridTests {
  private static let count = 120
  private static let scope = "of=Playlist&key=1&owner=Playlist&relationship=tracks"

  /// A playlist whose track order differs from the order of the keys: its first track has the number 0.
  private static func store() throws -> BrowsedStore {
    let track = makeEntity("Track", makeAttribute("title"), makeAttribute("rating", .integer32AttributeType))
    let playlist = makeEntity("Playlist", makeAttribute("name"))
    relate(playlist, "tracks", isToMany: true, isOrdered: true, track, "playlist", isToMany: false)
    return try BrowsedStore(model: makeModel([track, playlist])) { context in
      let list = BrowsedStore.insert("Playlist", ["name": "Mixed"], in: context)
      var tracks = (0..<count).map { number in
        BrowsedStore.insert("Track", ["title": "T\(number)", "rating": number % 2], in: context)
      }
      try context.obtainPermanentIDs(for: tracks)
      // An order that follows neither the keys nor the titles.
      tracks.sort { left, right in
        let (left, right) = (Self.place(of: left), Self.place(of: right))
        return left < right
      }
      list.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
    }
  }

  /// The position of a track, from 0: tracks with odd numbers come first, and each half is in reverse order.
  private static func place(of track: NSManagedObject) -> Int {
    let title = track.value(forKey: "title") as? String ?? ""
    return expected.firstIndex(of: title) ?? 0
  }

  private static let expected: [String] =
    (0..<count).reversed().filter { $0 % 2 == 1 }.map { "T\($0)" }
    + (0..<count).reversed().filter { $0 % 2 == 0 }.map { "T\($0)" }

  /// The positions and titles of a grid's rows.
  private static func rows(_ page: String) -> [String] {
    page.matches(of: /<tr data-row><td class="number">([0-9]+)<\/td>.*?<bdi>(T[0-9]+)<\/bdi>/)
      .map { "\($0.output.1) \($0.output.2)" }
  }

  private static func link(_ name: String, in page: String) -> String? {
    page.components(separatedBy: "<a class=\"button\" href=\"")
      .first { $0.contains(">\(name)</a>") && !$0.prefix { $0 != ">" }.contains("<") }
      .map { String($0.prefix { $0 != "\"" }).replacing("&amp;", with: "&") }
  }

  private static let numbered = expected.enumerated().map { "\($0 + 1) \($1)" }

  @Test("An ordered grid shows the relationship's order and each object's position, forwards and backwards")
  func pages() async throws {
    let store = try Self.store()
    var page = try await store.page("/entity/Track?\(Self.scope)")
    var forwards = Self.rows(page)
    while let next = Self.link("Next", in: page) {
      page = try await store.page(next)
      forwards += Self.rows(page)
    }
    #expect(forwards == Self.numbered)
    let last = try #require(Self.link("Previous", in: page))
    var backwards = Self.rows(page)
    var previous: String? = last
    while let address = previous {
      page = try await store.page(address)
      backwards = Self.rows(page) + backwards
      previous = Self.link("Previous", in: page)
    }
    #expect(backwards == Self.numbered)
  }

  @Test("An ordered grid with a predicate keeps the order and the positions")
  func predicate() async throws {
    let store = try Self.store()
    let page = try await store.page(
      "/entity/Track?\(Self.scope)&where=title+IN+%7B%22T1%22%2C%22T0%22%2C%22T119%22%7D"
    )
    #expect(Self.rows(page) == ["1 T119", "60 T1", "120 T0"])
  }

  @Test("An ordered grid is saved in the same order, with the positions")
  func export() async throws {
    let store = try Self.store()
    let csv = String(buffer: try await store.get("/entity/Track/export.csv?\(Self.scope)").body)
    let lines = csv.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(lines.first?.prefix(3) == ["place", "key", "title"])
    #expect(lines.dropFirst().map { "\($0[0]) \($0[2])" } == Self.numbered)
    let json = try await store.get("/entity/Track/export.json?\(Self.scope)")
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(json.body.readableBytesView)) as? [[String: Any]]
    )
    #expect(rows.map { "\($0["$place"] ?? "") \($0["title"] ?? "")" } == Self.numbered)
  }

  @Test("A grid that is sorted links back to the order of the relationship")
  func sorted() async throws {
    let store = try Self.store()
    let sorted = try await store.page("/entity/Track?\(Self.scope)&sort=title")
    #expect(Self.rows(sorted).isEmpty)
    let link = try #require(Self.link("In the relationship's order", in: sorted))
    #expect(Self.rows(try await store.page(link)) == Array(Self.numbered.prefix(50)))
  }

  @Test("The object's page numbers an ordered relationship like the grid")
  func objectPage() async throws {
    let page = try await Self.store().page("/entity/Playlist/1")
    let found = page.matches(
      of: /<span class="note">([0-9]+)\.<\/span> <a href="[^"]*"><bdi>(T[0-9]+)<\/bdi>/
    )
    .map { "\($0.output.1) \($0.output.2)" }
    #expect(found == Array(Self.numbered.prefix(20)))
  }

  /// The predicates of the grids that the tests walk through, as items of an address.
  private static let conditions = [
    "", "&where=rating+%3D%3D+1", "&where=title+ENDSWITH+%223%22+OR+title+%3D%3D+%22T0%22",
  ]

  @Test(
    "The links to the previous and the next object follow the order of the grid's pages",
    arguments: conditions
  )
  func neighbors(condition: String) async throws {
    let store = try Self.store()
    var page = try await store.page("/entity/Track?\(Self.scope)\(condition)")
    var titles = Self.titles(page)
    let first = try #require(page.firstMatch(of: /<a href="([^"]*)">[0-9]+<\/a><\/th>/))
    while let next = Self.link("Next", in: page) {
      page = try await store.page(next)
      titles += Self.titles(page)
    }
    #expect(titles.count > 10)
    var forwards: [String] = []
    var object = try await store.page(String(first.output.1).replacing("&amp;", with: "&"))
    #expect(Self.link("‹ Previous", in: object) == nil)
    while true {
      forwards.append(try Self.title(object))
      guard let next = Self.link("Next ›", in: object), forwards.count <= titles.count else { break }
      object = try await store.page(next)
    }
    #expect(forwards == titles)
    var backwards: [String] = []
    while true {
      backwards.insert(try Self.title(object), at: 0)
      guard let previous = Self.link("‹ Previous", in: object), backwards.count <= titles.count else { break }
      object = try await store.page(previous)
    }
    #expect(backwards == titles)
  }

  @Test(
    "The neighbors of an object that its grid's predicate excludes are next to its place in the relationship"
  )
  func excluded() async throws {
    let store = try Self.store()
    let grid = try await store.page("/entity/Track?\(Self.scope)&where=title+%3D%3D+%22T60%22")
    let key = try #require(grid.firstMatch(of: />([0-9]+)<\/a><\/th>/)?.output.1)
    // T60 is between T90 and T30. T1 is before them, because its number is odd.
    let origin = "\(Self.scope)&where=title+IN+%7B%22T1%22%2C%22T90%22%2C%22T30%22%7D"
    let object = try await store.page("/entity/Track/\(key)?from=\(PageAddress.encoded(origin))")
    let previous = try await store.page(try #require(Self.link("‹ Previous", in: object)))
    let next = try await store.page(try #require(Self.link("Next ›", in: object)))
    #expect(try [Self.title(previous), Self.title(next)] == ["T90", "T30"])
  }

  /// The titles of a grid's rows.
  private static func titles(_ page: String) -> [String] {
    rows(page).compactMap { $0.split(separator: " ").last.map(String.init) }
  }

  /// The title of an object's page.
  private static func title(_ page: String) throws -> String {
    String(try #require(page.firstMatch(of: /<h1><bdi>(T[0-9]+)<\/bdi>/)).output.1)
  }

  @Test("A page of an ordered grid begins next to the position of a removed object")
  func gone() async throws {
    let store = try Self.store()
    let page = try await store.page("/entity/Track?\(Self.scope)&after=999&value=i118")
    #expect(Self.rows(page) == ["119 T2", "120 T0"])
  }
}
