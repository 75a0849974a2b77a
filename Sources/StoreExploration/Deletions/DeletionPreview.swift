public import CoreData

/// The effects of deleting some objects, computed without a change.
public struct DeletionPreview: Hashable, Sendable {
  /// The number of objects of one entity.
  public struct EntityCount: Hashable, Sendable {
    /// The name of the entity.
    public let entity: String
    /// The number of objects.
    public let count: Int
  }

  /// An object that the deletion would include.
  public struct Deleted: Hashable, Sendable {
    /// The object.
    public let object: NamedObject
    /// The number of steps from the given objects; 0 for the given objects.
    public let depth: Int
    /// The cascading relationship that includes it, as `Category.notes`; `nil` for the given objects.
    public let relationship: String?
  }

  /// Objects that would stay, and lose a reference to a deleted object.
  public struct Released: Hashable, Sendable {
    /// The effects on a relationship.
    public enum Kind: String, Hashable, Sendable {
      /// The reference is removed.
      case nullified
      /// The reference stays and dangles, because the delete rule is `noActionDeleteRule`.
      case leftDangling
    }

    /// The relationship of the deleted objects, as `Category.notes`.
    public let relationship: String
    /// The relationship that loses its values, as `Note.category`; `nil` where there is no inverse.
    public let inverse: String?
    /// The number of objects.
    public let count: Int
    /// The effect on the relationship.
    public let kind: Kind
    /// True if the inverse requires a value, so that the save would fail.
    public let breaksRequirement: Bool
  }

  /// An object whose deletion the model forbids.
  public struct Denied: Hashable, Sendable {
    /// The object that would be deleted.
    public let object: NamedObject
    /// The relationship with the rule, as `Category.notes`.
    public let relationship: String
    /// The number of its destinations that would stay.
    public let count: Int
  }

  /// A reason why the preview is incomplete.
  public enum Limit: String, Hashable, Sendable {
    /// The greatest number of objects was reached.
    case objects
    /// The time limit was reached.
    case time
  }

  /// The numbers of objects that would be deleted, sorted by the names of their entities.
  public let counts: [EntityCount]
  /// The first objects that would be deleted, in the order of their depth.
  public let deleted: [Deleted]
  /// The objects that would stay, by relationship.
  public let released: [Released]
  /// The objects that the model does not allow to delete, at most a hundred. A save would fail.
  public let denied: [Denied]
  /// The given objects that are not in the store.
  public let missing: [NSManagedObjectID]
  /// The limit that ended the search; `nil` if the preview is complete.
  public let limit: Limit?

  /// The number of objects that would be deleted. If there is a limit, only the objects found so far are
  /// included.
  public var deletedCount: Int { counts.reduce(0) { $0 + $1.count } }

  /// True if no rule of the model forbids the deletion, as far as the search went.
  public var isAllowed: Bool { denied.isEmpty && !released.contains(where: \.breaksRequirement) }
}
