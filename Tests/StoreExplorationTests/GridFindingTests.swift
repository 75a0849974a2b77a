import Foundation
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite struct GridFindingTests {
  @Test func `Relationships and short values come before long texts, and the name first`() throws {
    let note = try #require(Garden.model().entitiesByName["Note"])
    let names = GridColumnChoice(standardOf: note).columns.map(\.name)
    #expect(names.first == "title")
    #expect(Set(names) == Set(StoreGrid.columns(of: note).map(\.name)) && names.count == Set(names).count)
    func place(_ name: String) throws -> Int { try #require(names.firstIndex(of: name)) }
    for short in ["category", "rating", "createdAt", "tags"] {
      for long in ["body", "image", "place"] { #expect(try place(short) < place(long), "\(names)") }
    }
  }

  @Test(arguments: ["a", "a,b:c%d", ":", "é😀", "%2C", "none"])
  func `A choice of columns is read as it was written, whatever the names are`(name: String) throws {
    var choice = GridColumnChoice([.init(name: "first"), .init(name: name, width: .wide)])
    #expect(GridColumnChoice(choice.description) == choice)
    choice.change("first", change: .hide)
    choice.change(name, change: .hide)
    #expect(choice.columns.isEmpty && GridColumnChoice(choice.description) == choice)
  }

  @Test func `Columns are moved, hidden, shown and made wide by their names`() {
    var choice = GridColumnChoice(["a", "b", "c"].map { .init(name: $0) })
    choice.change("c", change: .first)
    #expect(choice.description == "c,a,b")
    choice.change("c", change: .later)
    choice.change("c", change: .later)
    choice.change("c", change: .later)
    #expect(choice.description == "a,b,c")
    choice.change("b", change: .earlier)
    choice.change("b", change: .earlier)
    choice.change("a", change: .hide)
    choice.change("a", change: .first)
    choice.change("c", change: .width(.narrow))
    #expect(choice.description == "b,c:narrow")
    choice.change("a", change: .show)
    choice.change("a", change: .show)
    #expect(choice.description == "b,c:narrow,a")
    #expect(GridColumnChoice("b,,b,c:huge").description == "b,c")
  }

  @Test func `A grid reads the chosen columns alone, and passes over names that are none`() async throws {
    let store = try GardenStore()
    try store.write { context in _ = context.add("Note", ["title": "a", "rating": 3]) }
    let explored = try #require(ExploredStore(store.coordinator))
    var query = GridQuery(entity: "Note")
    query.columns = GridColumnChoice("rating,nothing,title")
    let page = try await StoreGrid(explored).page(query, size: 10, within: .seconds(3600))
    #expect(page.columns.map(\.name) == ["rating", "title"])
    #expect(page.rows.map(\.cells) == [[.value(.number("3")), .value(.text("a"))]])
  }

  @Test(arguments: GardenKind.allCases, [nil, "rating", "title", "createdAt"] as [String?])
  func `The objects next to each object are those of its grid, in its order`(
    kind: GardenKind,
    attribute: String?
  ) async throws {
    let store = try GardenStore(kind)
    try store.write { context in
      for number in 0..<12 {
        context.add(
          "Note",
          [
            "title": number % 4 == 0 ? nil : "t\(number % 3)", "rating": number % 5,
            "createdAt": number % 3 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number * 7 % 5)),
          ]
        )
      }
    }
    let explored = try #require(ExploredStore(store.coordinator))
    let grid = StoreGrid(explored)
    for isAscending in [true, false] {
      var query = GridQuery(entity: "Note")
      query.predicate = "rating != 2"
      query.sort = attribute.map { GridQuery.Sort(attribute: $0, isAscending: isAscending) }
      let keys = try await grid.page(query, size: 100, within: .seconds(3600)).rows.map(\.link.key)
      #expect(keys.count == 10)
      for (index, key) in keys.enumerated() {
        let neighbors = try await grid.neighbors(of: key, in: query, within: .seconds(3600))
        #expect(neighbors.previous?.key == (index > 0 ? keys[index - 1] : nil))
        #expect(neighbors.next?.key == (index < keys.count - 1 ? keys[index + 1] : nil))
      }
    }
  }

  @Test func `Destinations of one name are told apart by a second value`() async throws {
    let store = try GardenStore()
    let key = try store.write { context in
      let category = context.add("Category", ["name": "Trips"])
      for rating in [1, 2] {
        context.add("Note", ["title": "Lisbon", "rating": rating, "category": category])
      }
      context.add("Note", ["title": "Porto", "rating": 3, "category": category])
      try context.save()
      return category.objectID.key
    }
    let explored = try #require(ExploredStore(store.coordinator))
    let page = try await StoreObjects(explored).page(of: "Category", key: key, within: .seconds(3600))
    let notes = try #require(page.relationships.first { $0.name == "notes" }?.objects)
    #expect(Set(notes.filter { $0.name == "Lisbon" }.map(\.detail)) == ["1", "2"])
    #expect(notes.filter { $0.name == "Porto" }.map(\.detail) == [nil])
  }
}
