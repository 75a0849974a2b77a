import Foundation

/// Values between the types of Swift properties and the objects of key-value coding.
enum KeyedValue {
  /// The object that represents a value: numbers and booleans as `NSNumber`, enumerations as their
  /// raw values, no optionals.
  static func object(of value: Any) -> Any? {
    switch value {
    case let optional as any OptionalValue: unwrapped(optional).flatMap(object)
    case let number as NSNumber: number
    case let raw as any RawRepresentable: object(of: raw.rawValue as Any)
    default: value
    }
  }

  /// A value of a property's type, converted from an object; `nil` if the object cannot be converted.
  static func typed<Value>(_ object: Any?) -> Value? {
    guard let object, !(object is NSNull) else { return Any?.none as? Value }
    if let value = object as? Value { return value }
    if let number = object as? NSNumber, let value = number as? Value { return value }
    let type = (Value.self as? any OptionalValue.Type)?.wrappedType ?? Value.self
    guard let rawType = type as? any RawRepresentable.Type else { return nil }
    return rawValue(rawType, object: object).flatMap { $0 as? Value }
  }

  private static func rawValue<Raw: RawRepresentable>(_ type: Raw.Type, object: Any) -> Any? {
    let value: Raw.RawValue? = typed(object)
    return value.flatMap(Raw.init(rawValue:))
  }

  /// Returns true when a type has a value that means "no value".
  static func hasNil(_ type: Any.Type) -> Bool { type is any OptionalValue.Type || type == Any.self }
}
