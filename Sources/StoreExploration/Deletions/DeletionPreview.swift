package import CoreData

/// The effects of deleting some objects, computed without a change.
package struct DeletionPreview: Hashable, Sendable {
  /// The number of objects of one entity.
  package struct EntityCount: Hashable, Sendable {
    /// The name of the entity.
    package let entity: String
    /// The number of objects.
    package let count: Int
  }

  /// An object that the deletion would include.
  package struct Deleted: Hashable, Sendable {
    /// The object.
    package let object: NamedObject
    /// The number of steps from the given objects; 0 for the given objects.
    package let depth: Int
    /// The cascading relationship that includes it, as `Category.notes`; `nil` for the given objects.
    package let relationship: String?
  }

  /// Objects that would stay, and lose a reference to a deleted object.
  package struct Released: Hashable, Sendable {
    /// The effects on a relationship.
    package enum Kind: String, Hashable, Sendable {
      /// The reference is removed.
      case nullified
      /// The reference stays and dangles, because the delete rule is `noActionDeleteRule`.
      case leftDangling
    }

    /// The relationship of the deleted objects, as `Category.notes`.
    package let relationship: String
    /// The relationship that loses its values, as `Note.category`.
    package let inverse: String
    /// The number of objects.
    package let count: Int
    /// The effect on the relationship.
    package let kind: Kind
    /// True if the inverse requires a value, so that the save would fail.
    package let breaksRequirement: Bool
  }

  /// Objects that would stay, and refer to a deleted object by a relationship without an inverse. No delete rule
  /// changes these references.
  package struct Referring: Hashable, Sendable {
    /// The relationship of the objects that would stay, as `Attachment.subject`.
    package let relationship: String
    /// The number of objects.
    package let count: Int
    /// The first objects.
    package let objects: [NamedObject]
    /// True if the references stay and dangle. The references of a to-many relationship are stored with its
    /// destinations, and are deleted with them.
    package let isDangling: Bool
  }

  /// An object whose deletion the model forbids.
  package struct Denied: Hashable, Sendable {
    /// The object that would be deleted.
    package let object: NamedObject
    /// The relationship with the rule, as `Category.notes`.
    package let relationship: String
    /// The number of its destinations that would stay.
    package let count: Int
  }

  /// A reason why the preview is incomplete.
  package enum Limit: String, Hashable, Sendable {
    /// The greatest number of objects was reached.
    case objects
    /// The time limit was reached.
    case time
  }

  /// The numbers of objects that would be deleted, sorted by the names of their entities.
  package let counts: [EntityCount]
  /// The first objects that would be deleted, in the order of their depth.
  package let deleted: [Deleted]
  /// The objects that would stay, by relationship.
  package let released: [Released]
  /// The objects that would stay and refer to a deleted object, by relationship.
  package let referring: [Referring]
  /// The objects that the model does not allow to delete, at most a hundred. A save would fail.
  package let denied: [Denied]
  /// The given objects that are not in the store.
  package let missing: [NSManagedObjectID]
  /// The limit that ended the search; `nil` if the preview is complete.
  package let limit: Limit?

  /// The number of objects that would be deleted. If there is a limit, only the objects found so far are included.
  package var deletedCount: Int { counts.reduce(0) { $0 + $1.count } }

  /// True if no rule of the model forbids the deletion, as far as the search went.
  package var isAllowed: Bool { denied.isEmpty && !released.contains(where: \.breaksRequirement) }
}
