import Foundation

/// The collections of predicates: arrays, sets and ordered sets of Swift and of Foundation. Text,
/// data and dictionaries are single values.
package enum CollectionValue {
  /// The elements; `nil` when the value is not a collection.
  package static func elements(of value: Any) -> [Any?]? { elements(opened: value) }

  private static func elements<Value>(opened value: Value) -> [Any?]? {
    if Value.self == [Any?].self { return unsafeBitCast(value, to: [Any?].self) }
    if Value.self == [Any].self { return unsafeBitCast(value, to: [Any].self) }
    if Value.self == Any.self { return elements(of: unsafeBitCast(value, to: Any.self)) }
    if Value.self is AnyClass { return elements(ofObject: value as AnyObject) }
    switch value {
    case is String, is Data, is Substring, is any DictionaryValue: return nil
    case let collection as any Collection: return elements(in: collection)
    default: return nil
    }
  }

  private static func elements(ofObject object: AnyObject) -> [Any?]? {
    switch object as? NSObject {
    case let array as NSArray: array.allElements
    case let set as NSSet: set.allObjects
    case let set as NSOrderedSet: set.array
    default: nil
    }
  }

  /// Returns true when the value is a collection without an order.
  static func isSet(_ value: Any) -> Bool {
    // A cast of a Swift set to NSSet would copy it.
    value is any UnorderedValue || (type(of: value) is AnyClass && value is NSSet)
  }

  private static func elements(in collection: some Collection) -> [Any?] {
    collection.map { unwrapped($0) }
  }
}

extension NSArray {
  fileprivate var allElements: [Any] { map { $0 } }
}

/// `Set`, with elements of any type.
private protocol UnorderedValue {}

extension Set: UnorderedValue {}

extension CollectionValue {
  /// The keys and values of a dictionary of Swift or of Foundation; `nil` for another value.
  static func entries(of value: Any) -> [ValueKey: Any?]? {
    if let dictionary = value as? any DictionaryValue { return dictionary.entries }
    guard type(of: value) is AnyClass, let dictionary = value as? NSDictionary else { return nil }
    return Dictionary(dictionary.map { (ValueKey($0.key), $0.value as Any?) }) { first, _ in first }
  }
}

/// `Dictionary`, with keys and values of any type.
protocol DictionaryValue {
  /// The value of a key that is text.
  func value(forTextKey key: String) -> Any?

  var entries: [ValueKey: Any?] { get }
}

extension Dictionary: DictionaryValue {
  var entries: [ValueKey: Any?] {
    [ValueKey: Any?](map { (ValueKey($0.key), unwrapped($0.value)) }) { first, _ in first }
  }

  func value(forTextKey key: String) -> Any? {
    guard let key = key as? Key else { return nil }
    return self[key]
  }
}
