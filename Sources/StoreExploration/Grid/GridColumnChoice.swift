package import CoreData
import Foundation

/// The columns that a person chose for the grids of an entity, in order.
package struct GridColumnChoice: Sendable, Hashable {
  package enum Width: String, Sendable, CaseIterable {
    case narrow, normal, wide
  }

  package struct Column: Sendable, Hashable {
    package let name: String
    package var width = Width.normal
  }

  /// The visible columns.
  package private(set) var columns: [Column]

  package init(_ columns: [Column]) { self.columns = columns }

  /// The default columns: the attribute that names the objects, to-one relationships, short values, to-many
  /// relationships, and then values that may be long.
  package init(standardOf entity: NSEntityDescription) {
    let all = StoreGrid.columns(of: entity)
    let naming = ObjectNames.rule(for: entity).keyPaths.first
    func place(_ column: GridColumn) -> Int {
      if column.name == naming { return 0 }
      switch column.kind {
      case .toOne: return 1
      case .toMany: return 3
      case .attribute: return entity.attributesByName[column.name].map(Self.mayBeLong) ?? true ? 4 : 2
      }
    }
    let sorted = all.enumerated().sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
    columns = sorted.map { Column(name: $0.element.name) }
  }

  private static let longWords = [
    "body", "text", "content", "contents", "description", "details", "notes", "comment", "html", "json",
    "markdown",
    "message", "summary", "biography", "transcript", "payload", "xml",
  ]

  private static func mayBeLong(_ attribute: NSAttributeDescription) -> Bool {
    switch attribute.attributeType {
    case .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType: return true
    case .stringAttributeType:
      let name = attribute.name.lowercased()
      return longWords.contains { name.hasSuffix($0) }
    default: return false
    }
  }

  // MARK: - Changes

  /// A change of one column, which a button of a page requests.
  package enum Change: Sendable, Hashable {
    case show, hide, earlier, later, first
    case width(Width)

    package init?(_ text: String) {
      switch text {
      case "show": self = .show
      case "hide": self = .hide
      case "earlier": self = .earlier
      case "later": self = .later
      case "first": self = .first
      default:
        guard let width = Width(rawValue: text) else { return nil }
        self = .width(width)
      }
    }
  }

  /// Changes a column. A hidden column can only be shown.
  package mutating func change(_ name: String, change: Change) {
    guard let index = columns.firstIndex(where: { $0.name == name }) else {
      if change == .show { columns.append(Column(name: name)) }
      return
    }
    switch change {
    case .show: break
    case .hide: columns.remove(at: index)
    case .earlier: if index > 0 { columns.swapAt(index, index - 1) }
    case .later: if index < columns.count - 1 { columns.swapAt(index, index + 1) }
    case .first: columns.insert(columns.remove(at: index), at: 0)
    case .width(let width): columns[index].width = width
    }
  }
}

extension GridColumnChoice: CustomStringConvertible {
  /// Represents a choice without columns, because an address cannot have an empty value.
  private static let none = ":"

  /// The choice in the form of an address.
  package var description: String {
    if columns.isEmpty { return Self.none }
    return columns.map { column in
      Self.escaped(column.name) + (column.width == .normal ? "" : ":\(column.width.rawValue)")
    }
    .joined(separator: ",")
  }

  /// Reads the form that ``description`` writes. An unknown width becomes normal, and a repeated name is ignored.
  package init(_ text: String) {
    var known: Set<String> = []
    columns =
      text == Self.none
      ? []
      : text.split(separator: ",").compactMap { part in
        let pieces = part.split(separator: ":", maxSplits: 1)
        guard let first = pieces.first else { return nil }
        let name = first.removingPercentEncoding ?? String(first)
        guard known.insert(name).inserted else { return nil }
        let width = pieces.count > 1 ? Width(rawValue: String(pieces[1])) : nil
        return Column(name: name, width: width ?? .normal)
      }
  }

  private static func escaped(_ name: String) -> String {
    name.replacing("%", with: "%25").replacing(",", with: "%2C").replacing(":", with: "%3A")
  }
}

extension StoreGrid {
  /// The columns of a choice. Names that the entity does not have are ignored.
  package static func columns(of entity: NSEntityDescription, choice: GridColumnChoice?) -> [GridColumn] {
    let all = Dictionary(columns(of: entity).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return (choice ?? GridColumnChoice(standardOf: entity)).columns.compactMap { all[$0.name] }
  }
}
