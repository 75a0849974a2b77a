import Foundation

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

  private static func present(_ value: Any) -> Any? { value is NSNull ? nil : value }
}
