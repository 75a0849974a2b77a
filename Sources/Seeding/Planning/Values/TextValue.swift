import CoreData
import Foundation

extension SeedValue {
  /// The character that separates the keys of a to-many relationship in a table's field.
  static let separator: Character = "|"

  /// The value of a table's field for an attribute of the type; other values are returned
  /// unchanged. Leading and trailing blanks are part of a text, and are ignored for other types.
  func read(as type: NSAttributeType) -> SeedValue {
    guard case .text(let field) = self else { return self }
    if type == .stringAttributeType || type == .transformableAttributeType { return .string(field) }
    let text = field.trimmingCharacters(in: .whitespaces)
    switch type {
    case .booleanAttributeType: return Self.truth(text) ?? .string(text)
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .decimalAttributeType, .dateAttributeType:
      return SeedValue(number: text) ?? .string(text)
    default: return .string(text)
    }
  }

  /// A table's field without leading and trailing blanks, which do not belong to a reference.
  var withoutBlanks: SeedValue {
    guard case .text(let text) = self else { return self }
    return .text(text.trimmingCharacters(in: .whitespaces))
  }

  /// The keys that a table's field or a list has for a to-many relationship; nil for all other values.
  var listed: [SeedValue]? {
    switch self {
    case .array(let values): values
    case .text(let text):
      text.split(separator: Self.separator)
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
        .map(SeedValue.text)
    default: nil
    }
  }

  private static func truth(_ text: String) -> SeedValue? {
    switch text.lowercased() {
    case "true", "yes", "1": .bool(true)
    case "false", "no", "0": .bool(false)
    default: nil
    }
  }
}
