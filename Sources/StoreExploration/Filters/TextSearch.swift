package import CoreData
import Foundation

/// Searches all texts of an entity, with the text of a predicate.
package struct TextSearch: Sendable {
  /// The searched attributes, by name.
  package let attributes: [String]

  package init(_ entity: NSEntityDescription) {
    attributes = entity.attributesByName.values
      .filter { $0.attributeType == .stringAttributeType && !$0.isTransient }
      .map(\.name).sorted()
  }

  /// The text of the predicate; empty if the search is empty.
  ///
  /// - Throws: `unsuitableProperty` if the entity does not have texts, `wrongPredicate` if the search is too long.
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
