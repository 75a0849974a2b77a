import Foundation

/// Turns Swift's numbers into `NSNumber`, as Apple's platforms do when one becomes an `Any` object.
///
/// Here a boxed `Int64` is no `Int`, while an `NSNumber` casts to every type of number that can hold it.
enum NumberBoxing {
  static func box(_ value: Any) -> Any {
    switch value {
    case is NSNumber: value
    case let value as Bool: NSNumber(value: value)
    case let value as Decimal: NSDecimalNumber(decimal: value)
    case let value as Double: NSNumber(value: value)
    case let value as Float: NSNumber(value: value)
    case let value as Int: NSNumber(value: value)
    case let value as Int64: NSNumber(value: value)
    case let value as Int32: NSNumber(value: value)
    case let value as Int16: NSNumber(value: value)
    case let value as Int8: NSNumber(value: value)
    case let value as UInt: NSNumber(value: value)
    case let value as UInt64: NSNumber(value: value)
    case let value as UInt32: NSNumber(value: value)
    case let value as UInt16: NSNumber(value: value)
    case let value as UInt8: NSNumber(value: value)
    default: value
    }
  }
}
