/// The value inside any number of optionals.
///
/// Called for the arguments of formats, for constants, by reflection and for Swift properties, where
/// values arrive as `Any`.
package func unwrapped(_ value: Any?) -> Any? {
  var value = value
  while let outer = value, let optional = outer as? any OptionalValue {
    value = optional.wrappedValue
  }
  return value
}

/// `Optional`, whatever it holds.
package protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  package static var wrappedType: Any.Type { Wrapped.self }

  package var wrappedValue: Any? {
    switch self {
    case .some(let value): value
    case .none: nil
    }
  }
}
