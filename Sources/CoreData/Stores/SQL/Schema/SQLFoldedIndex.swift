import Foundation
import Predicates

/// The index of a model over the folded form of a text, with which `==[cd]` and `BEGINSWITH[cd]` find their objects
/// without reading the others.
///
/// An attribute asks for it in its user info: `postgresql.foldedIndex` with `cd`, `c` or `d`. Stores in SQLite have no
/// such index: Apple's framework has none of the functions that it needs, and could not write the file.
package enum SQLFoldedIndex {
  /// The key in the user info of an attribute.
  static let key = "postgresql.foldedIndex"

  private static let foldings: [String: TextOptions] = [
    "c": .caseInsensitive, "d": .diacriticInsensitive, "cd": [.caseInsensitive, .diacriticInsensitive],
  ]

  /// The text options of an attribute's folded index; `nil` if the attribute does not ask for one, or asks for an
  /// unknown one.
  static func options(of attribute: NSAttributeDescription) -> TextOptions? {
    guard attribute.attributeType == .stringAttributeType, let value = attribute.userInfo?[key] as? String
    else { return nil }
    return foldings[value]
  }

  /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names the attribute, when it asks for an index that
  ///   there is not.
  package static func check(_ entities: [NSEntityDescription], store: URL) throws {
    for attribute in entities.flatMap({ $0.ownProperties.compactMap { $0 as? NSAttributeDescription } }) {
      guard let value = attribute.userInfo?[key] else { continue }
      if options(of: attribute) != nil, !attribute.isTransient { continue }
      throw StoreFailure.incompatibleSchema(
        """
        \(store.absoluteString): the user info of \(attribute.modelPath) has \(key) = \(value); it is cd, c or d, of a \
        String attribute that is not transient. Correct or remove it in the model.
        """,
        file: store,
        details: ["entity": attribute.entity.name ?? "", "attribute": attribute.name]
      )
    }
  }
}

extension TextOptions {
  /// The options as predicates have them between brackets: `cd`.
  package var letters: String { (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "") }
}
