public import CoreData

/// An object that one of two stores has otherwise than the other, or not at all.
public struct ObjectDifference: Hashable, Sendable {
  /// The kinds of difference.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Only the second store has it.
    case inserted
    /// Only the first store has it.
    case deleted
    /// Both have it, with other values.
    case changed
  }

  /// A property with different values.
  public struct Value: Hashable, Sendable {
    /// The name of the property.
    public let key: String
    /// The value in the first store, in words.
    public let before: String
    /// The value in the second store, in words.
    public let after: String
  }

  /// The kind of difference.
  public let kind: Kind
  /// The name of the entity.
  public let entity: String
  /// The object's name for people: of the second store, or of the first where only that has it.
  public let name: String
  /// The object in the first store; `nil` for one that was inserted.
  public let before: NSManagedObjectID?
  /// The object in the second store; `nil` for one that was deleted.
  public let after: NSManagedObjectID?
  /// The properties that differ, by name; none for objects that were inserted or deleted.
  public let values: [Value]
}

/// The way in which objects of one entity are taken for the same in both stores.
public struct ObjectMatching: Hashable, Sendable {
  /// The reasons for a way.
  public enum Reason: String, Hashable, Sendable {
    /// Whoever compares has chosen the key.
    case chosen
    /// The model says it: by a uniqueness constraint, or by its user info.
    case model
    /// An attribute is a UUID.
    case uuid
    /// An attribute has a customary name, such as `name`.
    case customaryName
    /// The objects have the same primary key.
    case primaryKey
  }

  /// The name of the entity.
  public let entity: String
  /// The names of the key's properties, or key paths; none where the primary key counts.
  public let keyPaths: [String]
  /// The reason for the choice.
  public let reason: Reason
}

/// The numbers of a comparison.
public struct ComparisonCounts: Hashable, Sendable {
  /// The number of objects that only the second store has.
  public internal(set) var inserted = 0
  /// The number of objects that only the first store has.
  public internal(set) var deleted = 0
  /// The number of objects that have other values.
  public internal(set) var changed = 0
  /// The number of objects that are alike.
  public internal(set) var same = 0
  /// The number of objects that have the key of another one of their store: they are matched in the
  /// order of their primary keys.
  public internal(set) var ambiguous = 0

  /// True when the stores have the same objects.
  public var areEqual: Bool { inserted + deleted + changed == 0 }

  mutating func add(_ other: ComparisonCounts) {
    inserted += other.inserted
    deleted += other.deleted
    changed += other.changed
    same += other.same
    ambiguous += other.ambiguous
  }
}
