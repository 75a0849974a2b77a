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
    let shared = sharedNames(among: links)
    return links.map { shared.contains($0.name) ? words(of: $0) : nil }
  }

  /// Returns the names that two or more different objects have. Several links may lead to one object.
  static func sharedNames(among links: [ObjectLink]) -> Set<String> {
    struct Identity: Hashable {
      let entity: String
      let key: Int64
    }
    let objects = Dictionary(grouping: links, by: \.name)
      .mapValues { Set($0.map { Identity(entity: $0.entity, key: $0.key) }).count }
    return Set(objects.filter { $0.value > 1 }.keys)
  }

  /// Returns the names that different destinations of to-one relationships on a page of a grid have.
  static func sharedNames(of rows: [GridRow]) -> Set<String> {
    sharedNames(
      among: rows.flatMap(\.cells).compactMap { cell in
        if case .object(let destination) = cell { destination } else { nil }
      }
    )
  }

  /// Returns the keys of named objects; `nil` for an object with a unique name.
  static func keys(among objects: [NamedObject]) -> [String?] {
    let ids = Dictionary(grouping: objects, by: \.name).mapValues { Set($0.map(\.id)).count }
    return objects.map { ids[$0.name, default: 0] > 1 ? "\($0.id.key)" : nil }
  }
}
