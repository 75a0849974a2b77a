import Foundation

/// A value while a predicate is evaluated, sorted by what comparisons do with it.
package enum EvaluatedValue {
  case null
  case number(NumberValue)
  case text(String)
  /// Seconds since the reference date.
  case date(Double)
  /// Anything else: identifiers, data, URLs, objects, collections.
  case object(Any)

  package init(_ value: Any?) {
    guard let value else {
      self = .null
      return
    }
    self = Self.classified(value)
  }

  /// The commonest types by a comparison of metatypes, which costs far less than a cast that fails.
  private static func classified<Value>(_ value: Value) -> EvaluatedValue {
    if Value.self == String.self { return .text(unsafeBitCast(value, to: String.self)) }
    if Value.self == Int.self { return .number(.integer(Int64(unsafeBitCast(value, to: Int.self)))) }
    if Value.self == Double.self { return .number(.double(unsafeBitCast(value, to: Double.self))) }
    if Value.self == Bool.self { return .number(.integer(unsafeBitCast(value, to: Bool.self) ? 1 : 0)) }
    if Value.self == Date.self {
      return .date(unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate)
    }
    return slowlyClassified(value)
  }

  private static func slowlyClassified(_ value: Any) -> EvaluatedValue {
    if let object = value as? NSObject, type(of: value) is NSObject.Type {
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
    if let number = NumberValue(any: value) { return .number(number) }
    switch value {
    case let date as Date: return .date(date.timeIntervalSinceReferenceDate)
    case let text as String: return .text(text)
    case let text as Substring: return .text(String(text))
    case let character as Character: return .text(String(character))
    default:
      guard let inner = unwrapped(value) else { return .null }
      return isOptional(value) ? EvaluatedValue(inner) : .object(value)
    }
  }

  private static func isOptional(_ value: Any) -> Bool {
    Mirror(reflecting: value).displayStyle == .optional
  }

  /// The value as a user gets it.
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
