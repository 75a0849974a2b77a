import CoreData
import Foundation
import StoreExploration

/// The addresses of pages, below the path at which the browser is mounted.
struct PageAddress: Sendable {
  /// The path of the mounting without a slash at its end: empty at the top.
  let base: String

  var home: String { base + "/" }
  var model: String { base + "/model" }
  var diagram: String { base + "/diagram" }
  var history: String { base + "/history" }
  var modelDifference: String { model + "/difference" }
  var comparison: String { base + "/comparison" }
  var moments: String { history + "/difference" }
  var changes: String { base + "/changes" }
  var link: String { base + "/link" }
  var counts: String { base + "/counts.json" }
  func transaction(_ number: Int64) -> String { "\(history)/transaction/\(number)" }
  func asset(_ name: String) -> String { "\(base)/assets/\(name)" }

  func entity(_ name: String) -> String { "\(base)/entity/\(Self.encoded(name))" }

  func object(_ link: ObjectLink) -> String { "\(entity(link.entity))/\(link.key)" }

  func object(of named: NamedObject) -> String {
    object(ObjectLink(entity: named.entity, key: named.id.key))
  }

  func value(_ attribute: String, of link: ObjectLink) -> String {
    "\(object(link))/value/\(Self.encoded(attribute))"
  }

  func model(_ entity: String) -> String { "\(model)#\(Self.anchor(entity))" }

  /// The address of the objects of an entity that differ from another store's in one way.
  func compared(_ entity: String, way: ComparedWay, offset: Int = 0) -> String {
    let items = [("way", way.rawValue)] + (offset > 0 ? [("offset", "\(offset)")] : [])
    return "\(comparison)/entity/\(Self.encoded(entity))" + Self.query(items)
  }

  /// The address of one object in both stores.
  func comparedObject(_ entity: String, keys: ComparedKeys) -> String {
    let items = [("here", keys.after), ("there", keys.before)].compactMap { name, key in
      key.map { (name, "\($0)") }
    }
    return "\(comparison)/entity/\(Self.encoded(entity))/object" + Self.query(items)
  }

  /// The name of an entity's place on the page of the model. It stands in markup as in addresses, encoded.
  static func anchor(_ entity: String) -> String { "entity-\(encoded(entity))" }

  /// The address of a grid, or of what else there is of its objects.
  func grid(_ query: GridQuery, part: String = "") -> String {
    entity(query.entity) + (part.isEmpty ? "" : "/\(part)") + Self.query(Self.items(of: query))
  }

  /// The names and values that say which objects a grid has, without the entity.
  static func items(of query: GridQuery) -> [(String, String)] {
    var items: [(String, String)] = []
    if !query.predicate.isEmpty { items.append(("where", query.predicate)) }
    if let sort = query.sort {
      items.append(("sort", sort.attribute))
      if !sort.isAscending { items.append(("order", "desc")) }
    }
    if let scope = query.scope { items += self.items(of: scope) }
    if let position = query.position {
      items.append((position.direction.rawValue, position.key.map { "\($0)" } ?? "end"))
      if let value = position.value { items.append(("value", value.description)) }
      if let number = query.firstNumber { items.append(("at", "\(number)")) }
    }
    if let columns = query.columns { items.append((ColumnUses.itemName, columns.description)) }
    return items
  }

  static func items(of scope: GridQuery.Scope) -> [(String, String)] {
    [
      ("of", scope.entity), ("key", "\(scope.key)"), ("owner", scope.owner),
      ("relationship", scope.relationship),
    ]
  }

  static func query(_ items: [(String, String)]) -> String {
    if items.isEmpty { return "" }
    return "?" + items.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  )

  /// A text as a part of a path or of a query. A text of dots alone would be a step in a path.
  static func encoded(_ text: String) -> String {
    if !text.isEmpty, text.allSatisfy({ $0 == "." }) { return text.replacing(".", with: "%2E") }
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
