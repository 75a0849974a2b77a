import CoreData
import StoreExploration
import Texts

/// Distinguishes objects of the same name by their key and a second value.
enum Distinction {
  /// Returns the words for one object, such as `12 · 2024-03-17`.
  static func words(of link: ObjectLink) -> String {
    link.detail.map { "\(link.key) · \($0)" } ?? "\(link.key)"
  }

  /// Returns the words for each link; `nil` for a link with a unique name.
  static func words(among links: [ObjectLink]) -> [String?] {
    let counts = Dictionary(links.map { ($0.name, 1) }, uniquingKeysWith: +)
    return links.map { counts[$0.name, default: 0] > 1 ? words(of: $0) : nil }
  }

  /// Returns the keys of named objects; `nil` for an object with a unique name.
  static func keys(among objects: [NamedObject]) -> [String?] {
    let ids = Dictionary(grouping: objects, by: \.name).mapValues { Set($0.map(\.id)).count }
    return objects.map { ids[$0.name, default: 0] > 1 ? "\($0.id.key)" : nil }
  }
}
