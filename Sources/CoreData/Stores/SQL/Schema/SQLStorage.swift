/// The way in which a column keeps its values. The order of the cases is the order of the columns
/// in a table.
enum SQLStorage: Int, Comparable, CaseIterable {
  /// Whole numbers, truth values and foreign keys.
  case integer
  /// The place of a row in an ordered relationship.
  case order
  /// Dates and floating-point numbers, which are sorted by name among each other.
  case real
  case decimal
  case text
  case uuid
  case uri
  case transformable
  case binary

  static func < (left: SQLStorage, right: SQLStorage) -> Bool { left.rawValue < right.rawValue }

  /// The storage of an attribute of a type; `nil` for a type that no column can hold.
  init?(_ type: NSAttributeType) {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
      self = .integer
    case .dateAttributeType, .doubleAttributeType, .floatAttributeType: self = .real
    case .decimalAttributeType: self = .decimal
    case .stringAttributeType: self = .text
    case .UUIDAttributeType: self = .uuid
    case .URIAttributeType: self = .uri
    case .transformableAttributeType: self = .transformable
    case .binaryDataAttributeType: self = .binary
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
    }
  }
}
