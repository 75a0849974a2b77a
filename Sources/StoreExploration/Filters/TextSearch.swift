package import CoreData
import Foundation

/// A search for a text in all texts of an entity, as the text of a predicate.
package struct TextSearch: Sendable {
  /// The attributes that are searched, by name.
  package let attributes: [String]

  package init(_ entity: NSEntityDescription) {
    attributes = entity.attributesByName.values
      .filter { $0.attributeType == .stringAttributeType && !$0.isTransient }
      .map(\.name).sorted()
  }

  /// The text of the predicate; empty where there is nothing to search for.
  ///
  /// - Throws: `unsuitableProperty` for an entity without texts, `wrongPredicate` for a text that is too long.
  package func predicate(_ search: String) throws -> String {
    let search = search.trimmingCharacters(in: .whitespacesAndNewlines)
    if search.isEmpty { return "" }
    if attributes.isEmpty {
      throw ExplorationFailure(
        code: .unsuitableProperty,
        problem: "the entity has no texts to search",
        remedy: "filter by another property"
      )
    }
    guard search.utf8.count <= PropertyFilter.longestValue else {
      throw ExplorationFailure(
        code: .wrongPredicate,
        problem: "the search has more than \(PropertyFilter.longestValue) bytes",
        remedy: "shorten it"
      )
    }
    return attributes.map { "\(PredicateText.key($0)) CONTAINS[cd] \(PredicateText.text(search))" }
      .joined(separator: " OR ")
  }
}
