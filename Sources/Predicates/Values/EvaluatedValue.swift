import Foundation

/// A value while a predicate is evaluated, sorted by what comparisons do with it.
package enum EvaluatedValue {
  case null
  case number(NumberValue)
  case text(String)
  /// Seconds since the reference date.
  case date(Double)
  /// Anything else: identifiers, data, URLs, objects, collections. Boxed, so that a value stays small.
  indirect case object(Any)

  package init(_ value: Any?) {
    guard let value else {
      self = .null
      return
    }
    self = Self.classified(value)
  }

  /// The commonest types by a comparison of metatypes, which costs far less than a cast that fails.
  ///
  /// The caller passes an existential, which the Swift 6 language mode opens: `Value` is the type inside.
  private static func classified<Value>(_ value: Value) -> EvaluatedValue {
    if Value.self == String.self { return .text(unsafeBitCast(value, to: String.self)) }
    if Value.self == Int.self { return .number(.integer(Int64(unsafeBitCast(value, to: Int.self)))) }
    if Value.self == Double.self { return .number(.double(unsafeBitCast(value, to: Double.self))) }
    if Value.self == Bool.self { return .number(.integer(unsafeBitCast(value, to: Bool.self) ? 1 : 0)) }
    if Value.self == Date.self { return .date(unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate) }
    if Value.self == UUID.self || Value.self == Data.self || Value.self == URL.self { return .object(value) }
    // An existential within an existential, as generic code makes them of optionals.
    if Value.self == Any.self { return EvaluatedValue(unsafeBitCast(value, to: Any.self)) }
    if Value.self is AnyClass { return classified(object: unsafeBitCast(value, to: AnyObject.self), value: value) }
    return slowlyClassified(value)
  }

  private static func classified(object: AnyObject, value: Any) -> EvaluatedValue {
    // The class of an attribute's number shows its kind, without a cast.
    if type(of: object) == NSNumber.self {
      return .number(NumberValue(plain: unsafeDowncast(object, to: NSNumber.self)))
    }
    guard let object = object as? NSObject else { return .object(value) }
    switch object {
    case let number as NSNumber: return .number(NumberValue(number))
    case let text as NSString: return .text(String(text))
    case let date as NSDate: return .date(date.timeIntervalSinceReferenceDate)
    case is NSNull: return .null
    case let identifier as NSUUID: return .object(identifier as UUID)
    case let url as NSURL: return .object(url as URL)
    case let data as NSData: return .object(data as Data)
    default: return .object(object)
    }
  }

  private static func slowlyClassified(_ value: Any) -> EvaluatedValue {
    if let number = NumberValue(any: value) { return .number(number) }
    switch value {
    case let text as Substring: return .text(String(text))
    case let character as Character: return .text(String(character))
    case let optional as any OptionalValue: return EvaluatedValue(optional.wrappedValue)
    default: return .object(value)
    }
  }

  /// The value as users of Foundation get it: a number is an `NSNumber`.
  package var object: Any? {
    if case .number(let number) = self { number.number } else { any }
  }

  /// The value as Swift has it.
  package var any: Any? {
    switch self {
    case .null: nil
    case .number(let number): number.any
    case .text(let text): text
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .object(let object): object
    }
  }

  /// The elements when the value is a collection.
  package var elements: [Any?]? {
    guard case .object(let object) = self else { return nil }
    return CollectionValue.elements(of: object)
  }
}

/// The value inside any number of optionals.
///
/// Called for the arguments of formats, for constants, by reflection and for Swift properties,
/// where values arrive as `Any`.
package func unwrapped(_ value: Any?) -> Any? {
  guard let value, !isPlain(value) else { return value }
  return unwrappedByCasts(value)
}

/// True for values of the commonest types that are not optionals. The function compares metatypes,
/// which costs far less than a cast that fails.
private func isPlain<Value>(_ value: Value) -> Bool {
  Value.self == String.self || Value.self == Int.self || Value.self == Date.self || Value.self == Double.self
    || Value.self == Bool.self || Value.self == UUID.self || Value.self is AnyClass
}

private func unwrappedByCasts(_ value: Any?) -> Any? {
  var value = value
  while let outer = value, let optional = outer as? any OptionalValue {
    value = optional.wrappedValue
  }
  return value
}

/// `Optional`, with a value of any type.
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
