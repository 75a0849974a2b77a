import CoreData
import Foundation

/// Compares values from key-value coding and from snapshots.
enum ValueEquality {
  /// Compares two values. `NSNull` and an empty to-many relationship are equal to no value.
  ///
  /// Values of a type that is not hashable are equal if they are the same object.
  static func isEqual(_ one: Any?, other: Any?) -> Bool {
    switch (present(one), present(other)) {
    case (nil, nil): true
    case (let one?, let other?): isSame(one, other: other)
    default: false
    }
  }

  private static func present(_ value: Any?) -> Any? {
    switch value {
    case is NSNull: nil
    case let set as NSSet where set.count == 0: nil
    case let set as NSOrderedSet where set.count == 0: nil
    default: value
    }
  }

  private static func isSame(_ one: Any, other: Any) -> Bool {
    if let one = one as? [String: Any], let other = other as? [String: Any] {
      return Set(one.keys).union(other.keys).allSatisfy { isEqual(one[$0], other: other[$0]) }
    }
    if let one = one as? AnyHashable, let other = other as? AnyHashable { return one == other }
    return one as AnyObject === other as AnyObject
  }
}
