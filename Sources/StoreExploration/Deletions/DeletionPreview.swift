public import CoreData

/// What deleting some objects would take along, found out without a change.
public struct DeletionPreview: Hashable, Sendable {
  /// The number of objects of one entity.
  public struct EntityCount: Hashable, Sendable {
    /// The name of the entity.
    public let entity: String
    /// The number of objects.
    public let count: Int
  }

  /// An object that would be deleted.
  public struct Deleted: Hashable, Sendable {
    /// The object.
    public let object: NamedObject
    /// The number of steps from the objects that are to be deleted; 0 for these.
    public let depth: Int
    /// The relationship by which it is deleted, as `Category.notes`; `nil` for the objects that are
    /// to be deleted.
    public let relationship: String?
  }

  /// Objects that would stay, and lose what they refer to.
  public struct Released: Hashable, Sendable {
    /// The ways in which a relationship ends.
    public enum Kind: String, Hashable, Sendable {
      /// The reference is taken out.
      case nullified
      /// The reference stays and leads to nothing: the rule is to do nothing.
      case leftDangling
    }

    /// The relationship of the deleted objects, as `Category.notes`.
    public let relationship: String
    /// The relationship that loses its values, as `Note.category`; `nil` where there is no inverse.
    public let inverse: String?
    /// The number of objects.
    public let count: Int
    /// The way in which the relationship ends.
    public let kind: Kind
    /// True when the inverse must have a value, so that the save would fail.
    public let breaksRequirement: Bool
  }

  /// An object whose deletion the model forbids.
  public struct Denied: Hashable, Sendable {
    /// The object that would be deleted.
    public let object: NamedObject
    /// The relationship with the rule, as `Category.notes`.
    public let relationship: String
    /// The number of objects that it leads to, and that would stay.
    public let count: Int
  }

  /// A reason why the preview is not whole.
  public enum Limit: String, Hashable, Sendable {
    /// There are more objects than were to be looked at.
    case objects
    /// The time was over.
    case time
  }

  /// The numbers of objects that would be deleted, by the names of their entities.
  public let counts: [EntityCount]
  /// The first of the objects that would be deleted, nearest first.
  public let deleted: [Deleted]
  /// The objects that would stay, by relationship.
  public let released: [Released]
  /// The objects that the model forbids to delete: a save would fail. At most a hundred are told.
  public let denied: [Denied]
  /// The objects that were given and are not in the store.
  public let missing: [NSManagedObjectID]
  /// The limit that ended the search; `nil` when the preview is whole.
  public let limit: Limit?

  /// The number of objects that would be deleted; of those that were found where there is a limit.
  public var deletedCount: Int { counts.reduce(0) { $0 + $1.count } }

  /// True when nothing of the model forbids the deletion, as far as was looked.
  public var isAllowed: Bool { denied.isEmpty && !released.contains(where: \.breaksRequirement) }
}
