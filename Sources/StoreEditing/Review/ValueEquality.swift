import CoreData
import Foundation

/// The equality of values as key-value coding and snapshots give them.
enum ValueEquality {
  /// Compares two values; `NSNull` is none, and so is a to-many relationship without destinations.
  ///
  /// Values of a program's own that cannot be compared are equal where they are the same object.
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
