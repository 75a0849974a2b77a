/// The value inside any number of optionals.
///
/// Called for the arguments of formats, for constants and by reflection, where values arrive as
/// `Any`.
package func unwrapped(_ value: Any?) -> Any? {
  var value = value
  while let outer = value, let optional = outer as? any OptionalValue {
    value = optional.wrappedValue
  }
  return value
}

/// `Optional`, whatever it holds.
protocol OptionalValue {
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  var wrappedValue: Any? {
    switch self {
    case .some(let value): value
    case .none: nil
    }
  }
}
