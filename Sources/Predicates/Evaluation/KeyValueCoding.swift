/// An object whose values have names: the way in which predicates, expressions and sort descriptors
/// read it.
///
/// Objective-C gives every object key-value coding; here a class takes part by conforming. Managed
/// objects conform. Dictionaries need no conformance, and any other Swift value is read by
/// reflection, which is slower.
public protocol KeyValueCoding: AnyObject {
  /// The value of a key: a number, text, date or other value, another object, a collection for a
  /// relationship to many, or `nil`.
  ///
  /// A key that the object does not have is a programmer's error and may stop the program.
  func value(forKey key: String) -> Any?

  /// The value of a key that may be unknown, as keys in a predicate that a user typed are.
  ///
  /// The default asks `value(forKey:)`.
  ///
  /// - Throws: an error that names the object's type and the key.
  func checkedValue(forKey key: String) throws -> Any?
}

extension KeyValueCoding {
  /// Asks `value(forKey:)`.
  ///
  /// - Throws: nothing: a key that the object does not have may stop the program.
  public func checkedValue(forKey key: String) throws -> Any? {
    value(forKey: key)
  }
}

/// An object that stands for a record: predicates take two of them for the same when they stand for
/// the same one.
///
/// A managed object, its ID and its row in a store are equal in this way, though they are objects
/// of their own.
package protocol IdentifiedObject {
  /// The value that tells the record from all others.
  var recordIdentity: AnyHashable { get }
}
