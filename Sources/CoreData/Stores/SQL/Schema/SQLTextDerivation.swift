import Predicates

/// A derived attribute that is a function of a text of the same row: `canonical:`, `uppercase:` or `lowercase:`.
package struct SQLTextDerivation {
  /// The name of the function in predicates.
  let function: String
  package let table: SQLTable
  /// The numbers of the entities whose rows have the attribute.
  package let entities: [Int64]
  /// The column of the text.
  package let source: String
  /// The column of the attribute.
  package let target: String

  package init(function: String, table: SQLTable, entities: [Int64], source: String, target: String) {
    self.function = function
    self.table = table
    self.entities = entities
    self.source = source
    self.target = target
  }

  /// The result of the function for a text, computed in memory.
  package func value(of text: String) -> String {
    switch function {
    case "uppercase:": text.uppercased()
    case "lowercase:": text.lowercased()
    default: TextOptions([.caseInsensitive, .diacriticInsensitive]).folded(text)
    }
  }
}
