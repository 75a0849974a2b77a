/// Identifies a form's field: an attribute, or an element of a composite attribute.
package struct FieldPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let attribute: String
  /// The names of the elements from the attribute to the value. Empty for an attribute itself.
  package let elements: [String]

  package init(attribute: String, elements: [String] = []) {
    self.attribute = attribute
    self.elements = elements
  }

  package init(stringLiteral attribute: String) { self.init(attribute: attribute) }

  func appending(_ element: String) -> FieldPath { FieldPath(attribute: attribute, elements: elements + [element]) }

  /// The path in the spelling of validation errors.
  package var description: String { ([attribute] + elements).joined(separator: ".") }
}
