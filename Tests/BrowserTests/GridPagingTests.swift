import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import StoreExploration
import Testing

@Suite("Pages of a grid")
struct GridPagingTests {
  /// The number of notes. Many of their values are equal, and some are missing.
  private static let count = 57

  private static func fill(_ context: NSManagedObjectContext) {
    for number in 0..<count {
      _ = BrowsedStore.insert(
        "Note",
        [
          "title": number % 6 == 0 ? nil : "title \(number * 7 % 5)",
          "rating": number % 5 == 0 ? nil : number % 3,
          "weight": number % 4 == 0 ? nil : Double(number * 31 % 7) / 3,
          "price": number % 4 == 1 ? nil : NSDecimalNumber(string: "\(number * 13 % 6).25"),
          "createdAt": number % 7 == 0
            ? nil : Date(timeIntervalSinceReferenceDate: Double(number * 17 % 9) / 7),
          "isPinned": number % 3 == 0 ? nil : number % 2 == 0,
          "identifier": number % 8 == 0
            ? nil : UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number % 4)"),
        ],
        in: context
      )
    }
  }

  private static let attributes: [String?] = [
    nil, "title", "rating", "weight", "price", "createdAt", "isPinned", "identifier",
  ]

  /// A model of notes with an index of an attribute.
  private static func model(indexing attribute: String?) throws -> NSManagedObjectModel {
    let model = BrowsedStore.notes
    let note = try #require(model.entitiesByName["Note"])
    note.indexes = note.attributesByName.values.filter { $0.name == attribute }.map { attribute in
      NSFetchIndexDescription(
        name: "byValue",
        elements: [NSFetchIndexElementDescription(property: attribute, collationType: .binary)]
      )
    }
    return model
  }

  @Test(
    "The pages of a grid have each object once, in one order, in both directions, with an index and without",
    arguments: [(NSSQLiteStoreType, false), (NSSQLiteStoreType, true), ("XML", false), ("XML", true)],
    attributes
  )
  func pagesAreComplete(store: (type: String, isIndexed: Bool), attribute: String?) async throws {
    let model = try Self.model(indexing: store.isIndexed ? attribute : nil)
    let store = try BrowsedStore(type: store.type, model: model, Self.fill)
    let explored = try #require(ExploredStore(store.coordinator))
    let grid = StoreGrid(explored)
    for isAscending in [true, false] {
      var query = GridQuery(entity: "Note")
      query.sort = attribute.map { GridQuery.Sort(attribute: $0, isAscending: isAscending) }
      let whole = try await grid.page(query, size: 1_000, within: .seconds(3600))
      #expect(whole.rows.count == Self.count)
      #expect(whole.next == nil && whole.previous == nil)
      let keys = whole.rows.map(\.link.key)
      #expect(try await Self.walk(grid, query, from: nil) { $0.next } == keys)
      let end = GridPosition(.before, key: nil, value: nil)
      let backwards = try await Self.walk(grid, query, from: end) { $0.previous }
      #expect(Set(backwards) == Set(keys) && backwards.count == keys.count)
    }
  }

  /// The keys of all rows, from a page to the last one.
  private static func walk(
    _ grid: StoreGrid,
    _ query: GridQuery,
    from start: GridPosition?,
    _ following: (GridPage) -> GridPosition?
  ) async throws -> [Int64] {
    var query = query
    query.position = start
    var keys: [Int64] = []
    for _ in 0..<100 {
      let page = try await grid.page(query, size: 10, within: .seconds(3600))
      keys += page.rows.map(\.link.key)
      guard let position = following(page) else { return keys }
      // An address carries the position as text.
      query.position = GridPosition(
        position.direction,
        key: position.key,
        value: position.value.flatMap { SortValue($0.description) }
      )
    }
    return keys
  }

  @Test("Paging back shows the same rows as before")
  func goBack() async throws {
    let store = try BrowsedStore(Self.fill)
    let explored = try #require(ExploredStore(store.coordinator))
    let grid = StoreGrid(explored)
    var query = GridQuery(entity: "Note")
    query.sort = GridQuery.Sort(attribute: "rating", isAscending: false)
    let first = try await grid.page(query, size: 20, within: .seconds(3600))
    query.position = first.next
    let second = try await grid.page(query, size: 20, within: .seconds(3600))
    query.position = second.previous
    let back = try await grid.page(query, size: 20, within: .seconds(3600))
    #expect(back.rows == first.rows)
    #expect(back.previous == nil && back.next != nil)
  }

  @Test("The rest of a page is read from an index, starting at its position")
  func usesIndex() async throws {
    let store = try BrowsedStore(model: Self.model(indexing: "rating"), Self.fill)
    let explored = try #require(ExploredStore(store.coordinator))
    var query = GridQuery(entity: "Note")
    query.sort = GridQuery.Sort(attribute: "rating", isAscending: true)
    query.position = GridPosition(.after, key: 5, value: .integer(1))
    let page = try await StoreGrid(explored).page(query, size: 10, within: .seconds(3600))
    let statement = try #require(page.statement)
    #expect(statement.sql.contains("ORDER BY t0.ZRATING, t0.Z_PK LIMIT"), "\(statement.sql)")
    #expect(statement.plan.contains { $0.contains("SEARCH") && $0.contains("INDEX") }, "\(statement.plan)")
  }

  @Test("Without an index, a page is read by one statement that scans the table once")
  func isReadOnce() async throws {
    let store = try BrowsedStore(Self.fill)
    let explored = try #require(ExploredStore(store.coordinator))
    var query = GridQuery(entity: "Note")
    query.sort = GridQuery.Sort(attribute: "rating", isAscending: false)
    query.position = GridPosition(.after, key: 5, value: .integer(1))
    let page = try await StoreGrid(explored).page(query, size: 10, within: .seconds(3600))
    let statement = try #require(page.statement)
    #expect(
      statement.sql.contains(
        "WHERE (t0.ZRATING <= ? OR t0.ZRATING IS NULL) "
          + "AND (t0.Z_PK < ? OR (t0.ZRATING < ? OR t0.ZRATING IS NULL)) "
          + "ORDER BY t0.ZRATING DESC, t0.Z_PK DESC LIMIT"
      ),
      "\(statement.sql)"
    )
  }

  @Test("A page can begin at a text of any length, which the address does not contain")
  func longTexts() async throws {
    let store = try BrowsedStore { context in
      for number in 0..<30 {
        let text = String(repeating: "x", count: 400) + "\(number % 3)"
        _ = BrowsedStore.insert("Note", ["title": text], in: context)
      }
    }
    let explored = try #require(ExploredStore(store.coordinator))
    let grid = StoreGrid(explored)
    var query = GridQuery(entity: "Note")
    query.sort = GridQuery.Sort(attribute: "title", isAscending: true)
    let keys = try await grid.page(query, size: 100, within: .seconds(3600)).rows.map(\.link.key)
    #expect(try await Self.walk(grid, query, from: nil) { $0.next } == keys)
  }

  @Test("Sorting a grid by a property without an order is refused")
  func unsortable() async throws {
    let store = try BrowsedStore()
    _ = try await store.page("/entity/Person?sort=photo", status: .badRequest)
    _ = try await store.page("/entity/Person?sort=nothing", status: .badRequest)
  }
}
