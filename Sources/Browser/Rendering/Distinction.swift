import CoreData
import StoreExploration
import Texts

/// What tells apart objects that have the same name: the key and a second value.
enum Distinction {
  /// The words for one object, such as `12 · 2024-03-17`.
  static func words(of link: ObjectLink) -> String {
    link.detail.map { "\(link.key) · \($0)" } ?? "\(link.key)"
  }

  /// The words for each of some links: `nil` for one whose name no other has.
  static func words(among links: [ObjectLink]) -> [String?] {
    let counts = Dictionary(links.map { ($0.name, 1) }, uniquingKeysWith: +)
    return links.map { counts[$0.name, default: 0] > 1 ? words(of: $0) : nil }
  }

  /// The keys of named objects: `nil` for one whose name no other has.
  static func keys(among objects: [NamedObject]) -> [String?] {
    let ids = Dictionary(grouping: objects, by: \.name).mapValues { Set($0.map(\.id)).count }
    return objects.map { ids[$0.name, default: 0] > 1 ? "\($0.id.key)" : nil }
  }
}
