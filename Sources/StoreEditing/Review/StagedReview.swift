package import StoreExploration

/// The changes that a save would write.
package struct StagedReview: Sendable {
  /// The described objects: inserted ones, then updated ones, then deleted ones.
  package let objects: [StagedObject]
  package let insertedCount: Int
  package let updatedCount: Int
  package let deletedCount: Int

  package var count: Int { insertedCount + updatedCount + deletedCount }

  /// The number of objects that are not described.
  package var untoldCount: Int { count - objects.count }
}

/// An object with staged changes.
package struct StagedObject: Sendable {
  package enum Kind: String, Sendable {
    case inserted, updated, deleted
  }

  package let link: EditedLink
  package let kind: Kind
  /// True if a delete rule deletes the object, and not an edit.
  package let isTakenAlong: Bool
  package let changes: [StagedChange]
}

/// The staged change of a property.
package struct StagedChange: Sendable {
  package enum Difference: Hashable, Sendable {
    case value(before: StagedValue, after: StagedValue)
    /// The added and removed destinations, the first of each, and the new order if others changed places.
    case members(added: [EditedLink], removed: [EditedLink], untold: Int, order: StagedOrder?)
  }

  package let property: String
  package let difference: Difference
}

/// The new order of an ordered relationship: the first destinations, and the number of the others.
package struct StagedOrder: Hashable, Sendable {
  package let objects: [EditedLink]
  package let untold: Int
}

/// A value of an attribute or of a to-one relationship.
package enum StagedValue: Hashable, Sendable {
  case value(ShownValue)
  /// The destination of a to-one relationship; `nil` if there is none.
  case object(EditedLink?)
}
