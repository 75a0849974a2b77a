import Foundation

/// Turns Swift's numbers into `NSNumber`, as Apple's platforms do when one becomes an `Any` object.
///
/// Here a boxed `Int64` is no `Int`, while an `NSNumber` casts to every type of number that can
/// hold it.
enum NumberBoxing {
  /// A number as `NSNumber`, a `Decimal` as `NSDecimalNumber`, anything else as it is.
  static func box(_ value: Any) -> Any {
    (value as? NSNumber) ?? value
  }
}
