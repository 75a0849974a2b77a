import CoreData
import Foundation
import StoreExploration

/// The grid that an object's page was opened from: its filter, its order and its page, as the address of the object
/// keeps them.
///
/// The breadcrumb and the key `u` lead back to it, and the previous and the next object are those of its rows.
struct GridOrigin: Sendable {
  /// The name of the item in addresses.
  static let itemName = "from"
  private static let entityName = "entity"
  /// A longer text comes from no page of ours.
  private static let longest = 8_000

  let query: GridQuery

  /// - Parameter entity: the entity of the object, whose whole grid is meant where the address names no other.
  init(_ items: QueryItems, entity: String, in explored: ExploredStore) {
    let text = items[Self.itemName] ?? ""
    let given = QueryItems(text.utf8.count <= Self.longest ? text : "")
    let name = given[Self.entityName].flatMap { try? explored.entity($0).name } ?? entity
    query = GridQuery(entity: name, items: given)
  }

  init(_ query: GridQuery) { self.query = query }

  /// What the address of an object has of the grid; empty for the first page of all objects of its entity.
  func items(of link: ObjectLink) -> [(String, String)] {
    var items = PageAddress.items(of: query)
    if query.entity != link.entity { items.insert((Self.entityName, query.entity), at: 0) }
    let text = String(PageAddress.query(items).dropFirst())
    return text.isEmpty || text.utf8.count > Self.longest ? [] : [(Self.itemName, text)]
  }
}

extension PageAddress {
  /// The address of an object's page that remembers the grid that it was opened from.
  func object(_ link: ObjectLink, from origin: GridOrigin) -> String {
    object(link) + Self.query(origin.items(of: link))
  }

  /// The address of a grid's page at the row of an object.
  func row(of key: Int64, in query: GridQuery) -> String { grid(query) + "#" + Self.rowAnchor(key) }

  /// The name of the place of a row on the page of a grid.
  static func rowAnchor(_ key: Int64) -> String { "row-\(key)" }
}
