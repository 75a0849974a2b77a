import Predicates

/// A derived attribute that is a function of a text of the same row: `canonical:`, `uppercase:` or
/// `lowercase:`.
struct SQLTextDerivation {
  /// The name of the function in predicates.
  let function: String
  let table: SQLTable
  /// The numbers of the entities whose rows have the attribute.
  let entities: [Int64]
  /// The column of the text.
  let source: String
  /// The column of the attribute.
  let target: String

  /// The result of the function for a text, computed in memory.
  func value(of text: String) -> String {
    switch function {
    case "uppercase:": text.uppercased()
    case "lowercase:": text.lowercased()
    default: TextOptions([.caseInsensitive, .diacriticInsensitive]).folded(text)
    }
  }
}
