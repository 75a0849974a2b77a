/// The place of a value that a form has a field for: an attribute, or an element of a composite one.
package struct FieldPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let attribute: String
  /// The names of the elements that lead to the value; none for an attribute itself.
  package let elements: [String]

  package init(attribute: String, elements: [String] = []) {
    self.attribute = attribute
    self.elements = elements
  }

  package init(stringLiteral attribute: String) { self.init(stringLiteral: attribute) }

  func appending(_ element: String) -> FieldPath { FieldPath(attribute: attribute, elements: elements + [element]) }

  /// The path as validation errors have it.
  package var description: String { ([attribute] + elements).joined(separator: ".") }
}
