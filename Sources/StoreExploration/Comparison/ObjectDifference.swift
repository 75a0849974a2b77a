package import CoreData

/// An object that differs between two stores, or that only one of them has.
package struct ObjectDifference: Hashable, Sendable {
  /// The kinds of difference.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Only the second store has the object.
    case inserted
    /// Only the first store has the object.
    case deleted
    /// Both stores have the object, with different values.
    case changed
  }

  /// A property with different values.
  package struct Value: Hashable, Sendable {
    /// The name of the property.
    package let key: String
    /// The text of the value in the first store.
    package let before: String
    /// The text of the value in the second store.
    package let after: String
  }

  /// The kind of difference.
  package let kind: Kind
  /// The name of the entity.
  package let entity: String
  /// The name to display: the object's name in the second store, or in the first store if only that has it.
  package let name: String
  /// The object in the first store; `nil` for an inserted object.
  package let before: NSManagedObjectID?
  /// The object in the second store; `nil` for a deleted object.
  package let after: NSManagedObjectID?
  /// The properties that differ, in the order of their names. Empty for inserted and deleted objects.
  package let values: [Value]
}

/// The rule that decides which objects of an entity are the same in both stores.
package struct ObjectMatching: Hashable, Sendable {
  /// The source of the rule.
  package enum Reason: String, Hashable, Sendable {
    /// The caller chose the key.
    case chosen
    /// The model defines the key, in a uniqueness constraint or in its user info.
    case model
    /// An attribute is a UUID.
    case uuid
    /// An attribute has a customary name, such as `name`.
    case customaryName
    /// The objects have the same primary key.
    case primaryKey
  }

  /// The name of the entity.
  package let entity: String
  /// The names or key paths of the key's properties. Empty if the primary key decides.
  package let keyPaths: [String]
  /// The source of the rule.
  package let reason: Reason
}

/// The counts of a comparison.
package struct ComparisonCounts: Hashable, Sendable {
  /// The number of objects that only the second store has.
  package internal(set) var inserted = 0
  /// The number of objects that only the first store has.
  package internal(set) var deleted = 0
  /// The number of objects with different values.
  package internal(set) var changed = 0
  /// The number of objects with the same values.
  package internal(set) var same = 0
  /// The number of objects that have the same key as another object of their store. They are matched in the
  /// order of their primary keys.
  package internal(set) var ambiguous = 0

  /// True if the stores have the same objects with the same values.
  package var areEqual: Bool { inserted + deleted + changed == 0 }

  mutating func add(_ other: ComparisonCounts) {
    inserted += other.inserted
    deleted += other.deleted
    changed += other.changed
    same += other.same
    ambiguous += other.ambiguous
  }
}
