package import CoreData

extension NSAttributeDescription {
  /// The type's name in the model editor.
  package var shownType: String {
    switch attributeType {
    case .integer16AttributeType: "Integer 16"
    case .integer32AttributeType: "Integer 32"
    case .integer64AttributeType: "Integer 64"
    case .decimalAttributeType: "Decimal"
    case .doubleAttributeType: "Double"
    case .floatAttributeType: "Float"
    case .stringAttributeType: "String"
    case .booleanAttributeType: "Boolean"
    case .dateAttributeType: "Date"
    case .binaryDataAttributeType: "Binary Data"
    case .UUIDAttributeType: "UUID"
    case .URIAttributeType: "URI"
    case .transformableAttributeType: "Transformable"
    case .compositeAttributeType: "Composite"
    case .objectIDAttributeType: "Object ID"
    default: "Undefined"
    }
  }

  /// True for numbers that have an order and can be added.
  package var isNumeric: Bool {
    switch attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
      .doubleAttributeType, .floatAttributeType:
      true
    default: false
    }
  }
}
