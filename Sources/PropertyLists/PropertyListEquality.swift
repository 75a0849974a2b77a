import Foundation

/// The comparison of property list values.
///
/// Containers and data are compared as Swift values. A conversion to Foundation objects would copy them byte by
/// byte, once for each dictionary around them.
package enum PropertyListEquality {
  /// Compares texts by their bytes, and numbers as `NSNumber` does.
  package static func areEqual(_ one: Any?, other: Any?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    if !isObject(one), !isObject(other) {
      switch (one, other) {
      case (let one as String, let other as String): return one.utf8.elementsEqual(other.utf8)
      case (let one as Data, let other as Data): return one == other
      case (let one as [Any], let other as [Any]):
        return one.count == other.count && zip(one, other).allSatisfy { areEqual($0, other: $1) }
      case (let one as [AnyHashable: Any], let other as [AnyHashable: Any]):
        return one.count == other.count && one.allSatisfy { key, value in areEqual(value, other: other[key]) }
      default: break
      }
    }
    return (one as? NSObject)?.isEqual(other) ?? false
  }

  private static func isObject(_ value: Any) -> Bool { type(of: value) is NSObject.Type }
}
