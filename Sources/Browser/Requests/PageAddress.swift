import CoreData
import Foundation
import StoreExploration

/// The addresses of pages, below the path at which the browser is mounted.
struct PageAddress: Sendable {
  /// The path at which the browser is mounted, without a slash at its end; empty for the root.
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

  func object(of named: NamedObject) -> String { object(ObjectLink(entity: named.entity, key: named.id.key)) }

  func value(_ attribute: String, of link: ObjectLink) -> String { "\(object(link))/value/\(Self.encoded(attribute))" }

  /// Returns the address of the page that shows a value, whose file has the given address.
  static func page(ofValueAt file: String) -> String { file + "/page" }

  func model(_ entity: String) -> String { "\(model)#\(Self.anchor(entity))" }

  /// Returns the address of an entity's objects that have one kind of difference from another store.
  func compared(_ entity: String, way: ComparedWay, offset: Int = 0) -> String {
    let items = [("way", way.rawValue)] + (offset > 0 ? [("offset", "\(offset)")] : [])
    return "\(comparison)/entity/\(Self.encoded(entity))" + Self.query(items)
  }

  /// Returns the address of one object in both stores.
  func comparedObject(_ entity: String, keys: ComparedKeys) -> String {
    let items = [("here", keys.after), ("there", keys.before)].compactMap { name, key in
      key.map { (name, "\($0)") }
    }
    return "\(comparison)/entity/\(Self.encoded(entity))/object" + Self.query(items)
  }

  /// Returns the `id` of an entity on the page of the model. Markup contains it encoded, as addresses do.
  static func anchor(_ entity: String) -> String { "entity-\(encoded(entity))" }

  /// Returns the address of a grid, or of another page of its objects.
  func grid(_ query: GridQuery, part: String = "") -> String {
    entity(query.entity) + (part.isEmpty ? "" : "/\(part)") + Self.query(Self.items(of: query))
  }

  /// Returns the names and values that select a grid's objects, without the entity.
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

  /// Returns a text encoded for a path or a query. The dots of a text that consists only of dots are encoded too,
  /// because such a text would be a relative step in a path.
  static func encoded(_ text: String) -> String {
    if !text.isEmpty, text.allSatisfy({ $0 == "." }) { return text.replacing(".", with: "%2E") }
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
