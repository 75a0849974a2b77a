import CoreData
import Foundation
import StoreExploration

/// The grid from which an object's page was opened. The address of the object keeps the grid's filter, order and page.
///
/// The breadcrumb and the key `u` lead back to the grid. The previous and the next object are those of its rows.
struct GridOrigin: Sendable {
  /// The name of the item in addresses.
  static let itemName = "from"
  private static let entityName = "entity"
  /// The greatest length in bytes. The pages make no longer text.
  private static let longest = 8_000

  let query: GridQuery

  /// Reads the grid from an address.
  ///
  /// - Parameter entity: the object's entity. Its whole grid is the default.
  init(_ items: QueryItems, entity: String, in explored: ExploredStore) {
    let text = items[Self.itemName] ?? ""
    let given = QueryItems(text.utf8.count <= Self.longest ? text : "")
    let name = given[Self.entityName].flatMap { try? explored.entity($0).name } ?? entity
    query = GridQuery(entity: name, items: given)
  }

  init(_ query: GridQuery) { self.query = query }

  /// Returns the items for the address of an object. They are empty for the first page of all objects of its entity.
  func items(of link: ObjectLink) -> [(String, String)] {
    var items = PageAddress.items(of: query)
    if query.entity != link.entity { items.insert((Self.entityName, query.entity), at: 0) }
    let text = String(PageAddress.query(items).dropFirst())
    return text.isEmpty || text.utf8.count > Self.longest ? [] : [(Self.itemName, text)]
  }
}

extension PageAddress {
  /// Returns the address of an object's page that keeps its grid.
  func object(_ link: ObjectLink, from origin: GridOrigin) -> String {
    object(link) + Self.query(origin.items(of: link))
  }

  /// Returns the address of a grid's page at the row of an object.
  func row(of key: Int64, in query: GridQuery) -> String { grid(query) + "#" + Self.rowAnchor(key) }

  /// Returns the `id` of a row on the page of a grid.
  static func rowAnchor(_ key: Int64) -> String { "row-\(key)" }
}
