package import CoreData
import ModelFormats

extension NSAttributeDescription {
  /// The type's name in the model editor.
  package var shownType: String { AttributeKind(attributeType).title }

  /// True for numbers that have an order and can be added.
  package var isNumeric: Bool { AttributeKind(attributeType).storage.isNumber }
}
