import Foundation

/// An attribute within a composite attribute that is not a composite itself.
package struct CompositeElement {
  /// The names that lead to it from the composite.
  package let path: [String]
  package let attribute: NSAttributeDescription
}

extension NSCompositeAttributeDescription {
  /// The attributes that the composite comes down to, in the order of the elements.
  final var leaves: [CompositeElement] {
    elements.flatMap { element -> [CompositeElement] in
      guard let inner = element as? NSCompositeAttributeDescription else {
        return [CompositeElement(path: [element.name], attribute: element)]
      }
      return inner.leaves.map { CompositeElement(path: [element.name] + $0.path, attribute: $0.attribute) }
    }
  }
}

/// The value of a composite attribute: the values of its elements by name, composites among them by name again.
///
/// Apple's documentation of `NSCompositeAttributeDescription`.
struct CompositeValue {
  var values: [String: Any]

  init(_ values: [String: Any]) { self.values = values }

  /// The value of an element, or of an element of an element: `position.latitude`.
  subscript(keyPath: String) -> Any? {
    get {
      guard let dot = keyPath.firstIndex(of: ".") else { return values[keyPath].flatMap(Self.present) }
      let inner = values[String(keyPath[..<dot])] as? [String: Any]
      return inner.flatMap { CompositeValue($0)[String(keyPath[keyPath.index(after: dot)...])] }
    }
    set {
      guard let dot = keyPath.firstIndex(of: ".") else {
        values[keyPath] = newValue
        return
      }
      let key = String(keyPath[..<dot])
      var inner = CompositeValue(values[key] as? [String: Any] ?? [:])
      inner[String(keyPath[keyPath.index(after: dot)...])] = newValue
      values[key] = inner.values
    }
  }

  /// The value as rows keep it, without the elements that have no value. `nil` when there are keys or values that the
  /// attribute's elements do not have. A composite without any value is treated as no value.
  static func stored(_ value: Any?, attribute: NSCompositeAttributeDescription) -> StoredValue? {
    guard let value, !(value is NSNull) else { return .null }
    guard let values = value as? [String: Any] else { return nil }
    var elements: [String: Any] = [:]
    for (key, value) in values {
      guard let element = attribute.elements.first(where: { $0.name == key }),
        let stored = AttributeValue.stored(value, of: element)
      else { return nil }
      elements[key] = AttributeValue.value(stored, as: element.attributeType)
    }
    return elements.isEmpty ? .null : .object(elements)
  }

  /// The default value of a composite attribute: the defaults of its elements by their names, or
  /// null where no element has one.
  static func defaultValue(of attribute: NSCompositeAttributeDescription) -> StoredValue {
    var values: [String: Any] = [:]
    for element in attribute.elements {
      values[element.name] = AttributeValue.value(AttributeValue.defaultValue(of: element), as: element.attributeType)
    }
    return values.isEmpty ? .null : .object(values)
  }

  private static func present(_ value: Any) -> Any? { value is NSNull ? nil : value }
}
