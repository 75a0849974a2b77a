/// An object whose values have names: the way in which predicates, expressions and sort descriptors read it.
///
/// Objective-C gives every object key-value coding; here a class takes part by conforming. Managed objects conform.
/// Dictionaries need no conformance, and any other Swift value is read by reflection, which is slower.
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
  public func checkedValue(forKey key: String) throws -> Any? { value(forKey: key) }
}

/// An object that identifies a record: predicates treat two such objects as equal when they identify the same record.
///
/// A managed object, its ID and its row in a store are equal in this way, though they are objects of their own.
package protocol IdentifiedObject {
  /// The value that identifies the record.
  var recordIdentity: AnyHashable { get }
  /// The record's place where records are sorted by their IDs.
  var recordOrder: RecordOrder { get }
}

/// An object of a model, which knows where its key paths lead also where there is nothing at their end.
package protocol ModelledObject: KeyValueCoding {
  /// True for a key path across a relationship to many.
  func leadsToMany(_ keyPath: String) -> Bool
  /// The object as messages name it: its entity and its ID.
  var nameInErrors: String { get }
}

/// The order of records by their IDs: saved ones by their stores and keys, and then new ones in the
/// order in which they were made.
package struct RecordOrder: Comparable {
  private let isNew: Bool
  private let store: Int32
  private let root: Int32
  private let number: UInt64

  /// - Parameters:
  ///   - key: the key; that of a new record is negative, and each is less than the one before.
  ///   - root: the number of the root entity.
  ///   - store: the index of the store.
  package init(key: Int64, root: Int32, store: Int32) {
    isNew = key < 0
    self.store = isNew ? 0 : store
    self.root = isNew ? 0 : root
    number = key.magnitude
  }

  package static func < (one: RecordOrder, other: RecordOrder) -> Bool {
    if one.isNew != other.isNew { return other.isNew }
    return (one.store, one.root, one.number) < (other.store, other.root, other.number)
  }
}
