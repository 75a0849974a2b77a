import Foundation

/// The properties of any Swift value, by reflection.
enum ReflectedValue {
  /// The value of a stored property, inherited ones included. The outer optional is `nil` when
  /// there is no such property.
  static func value(ofKey key: String, in object: Any) -> Any?? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let present = mirror {
      for child in present.children {
        guard let label = child.label else { continue }
        if label == key { return .some(unwrapped(child.value)) }
        // A lazy property and the property behind a wrapper are stored under other names.
        if label.hasPrefix("$__lazy_storage_$_"), label.dropFirst(18) == key {
          return .some(unwrapped(child.value))
        }
        if label.hasPrefix("_"), label.dropFirst() == key,
          let wrapped = Mirror(reflecting: child.value).children.first(where: { $0.label == "wrappedValue" })
        {
          return .some(unwrapped(wrapped.value))
        }
      }
      mirror = present.superclassMirror
    }
    return nil
  }
}
