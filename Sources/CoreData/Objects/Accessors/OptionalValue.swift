/// The value in optionals, however many are around it; `nil` where there is none.
func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.content
}

/// An optional of whatever type.
protocol OptionalValue {
  static var contentType: Any.Type { get }
  /// The value in it, without further optionals.
  var content: Any? { get }
}

extension Optional: OptionalValue {
  static var contentType: Any.Type { Wrapped.self }
  var content: Any? { map(unwrapped) ?? nil }
}
