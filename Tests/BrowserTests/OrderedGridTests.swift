import CoreData
import Foundation
import HTTPTestClient
import NIOCore
import StoreExploration
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

  /// The grid of the playlist's tracks.
  private static func query(where predicate: String) -> GridQuery {
    var query = GridQuery(entity: "Track")
    query.predicate = predicate
    query.scope = GridQuery.Scope(entity: "Playlist", key: 1, owner: "Playlist", relationship: "tracks")
    return query
  }

  @Test(
    "The previous and the next object of each object follow the order of the grid's pages",
    arguments: ["", "rating == 1", #"title ENDSWITH "3" OR title == "T0""#]
  )
  func neighbors(predicate: String) async throws {
    let store = try Self.store()
    let grid = StoreGrid(try #require(ExploredStore(store.coordinator)))
    let query = Self.query(where: predicate)
    var keys: [Int64] = []
    var page = query
    while true {
      let found = try await grid.page(page, size: 7, within: .seconds(3_600))
      keys += found.rows.map(\.link.key)
      guard let next = found.next else { break }
      page.position = next
    }
    #expect(keys.count > 10 && keys != keys.sorted())
    for (index, key) in keys.enumerated() {
      let found = try await grid.neighbors(of: key, in: query, within: .seconds(3_600))
      #expect(found.previous?.key == (index > 0 ? keys[index - 1] : nil))
      #expect(found.next?.key == (index < keys.count - 1 ? keys[index + 1] : nil))
      #expect([found.previous, found.next].compactMap { $0?.entity }.allSatisfy { $0 == "Track" })
    }
  }

  @Test(
    "The neighbors of an object that its grid's predicate excludes are next to its place in the relationship"
  )
  func excluded() async throws {
    let store = try Self.store()
    let grid = StoreGrid(try #require(ExploredStore(store.coordinator)))
    func key(_ title: String) async throws -> Int64? {
      Int64(try await store.key(of: "Track", where: "title == \"\(title)\""))
    }
    // T60 is between T90 and T30. T1 is before them, because its number is odd.
    let query = Self.query(where: #"title IN {"T1", "T90", "T30"}"#)
    let excluded = try #require(try await key("T60"))
    let found = try await grid.neighbors(of: excluded, in: query, within: .seconds(3_600))
    #expect(try await found.previous?.key == key("T90"))
    #expect(try await found.next?.key == key("T30"))
  }

  @Test("An object that left an ordered relationship has no neighbors in its grid")
  func leftRelationship() async throws {
    let store = try Self.store()
    let key = try await store.key(of: "Track", where: #"title == "T60""#)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = store.coordinator
    try await context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Track")
      request.predicate = NSPredicate(format: #"title == "T60""#)
      try context.fetch(request).first?.setValue(nil, forKey: "playlist")
      try context.save()
    }
    let grid = StoreGrid(try #require(ExploredStore(store.coordinator)))
    let left = try #require(Int64(key))
    let found = try await grid.neighbors(of: left, in: Self.query(where: ""), within: .seconds(3_600))
    #expect(found.previous == nil && found.next == nil)
  }

  @Test("A page of an ordered grid begins next to the position of a removed object")
  func gone() async throws {
    let store = try Self.store()
    let page = try await store.page("/entity/Track?\(Self.scope)&after=999&value=i118")
    #expect(Self.rows(page) == ["119 T2", "120 T0"])
  }
}
