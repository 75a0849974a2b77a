import Foundation

/// What counts as a collection in a predicate: arrays, sets and ordered sets of Swift and of Foundation. Text,
/// data and dictionaries are single values.
package enum CollectionValue {
  /// The elements, `NSNull` as `nil`; `nil` when the value is not a collection.
  package static func elements(of value: Any) -> [Any?]? {
    switch value {
    case let array as NSArray where type(of: value) is NSArray.Type: return array.map(element)
    case let set as NSSet where type(of: value) is NSSet.Type: return set.map(element)
    case let set as NSOrderedSet where type(of: value) is NSOrderedSet.Type: return set.map(element)
    case let array as [Any]: return array.map(element)
    case let array as [Any?]: return array.map(element)
    case is String, is Data, is NSString, is any DictionaryValue, is Substring: return nil
    case let collection as any Collection: return elements(in: collection)
    default: return nil
    }
  }

  /// Whether the value is a collection without an order.
  static func isSet(_ value: Any) -> Bool {
    value is NSSet || value is any UnorderedValue
  }

  private static func elements(in collection: some Collection) -> [Any?] {
    collection.map { element($0) }
  }

  private static func element(_ value: Any?) -> Any? {
    let value = unwrapped(value)
    return value is NSNull ? nil : value
  }
}

/// `Set`, whatever it holds.
private protocol UnorderedValue {}

extension Set: UnorderedValue {}

/// `Dictionary`, whatever it holds.
protocol DictionaryValue {
  /// The value of a key that is text.
  func value(forTextKey key: String) -> Any?
}

extension Dictionary: DictionaryValue {
  func value(forTextKey key: String) -> Any? {
    guard let key = key as? Key else { return nil }
    return self[key]
  }
}
