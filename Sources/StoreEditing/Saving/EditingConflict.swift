/// A conflict between a staged change and a save by another context or process.
package struct EditingConflict: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Both sides changed the object.
    case changed
    /// The object has staged changes, and the other side deleted it.
    case deletedThere
    /// The deletion of the object is staged, and the other side changed it.
    case deletedHere
    /// Another object has the same values for a uniqueness constraint.
    ///
    /// - Parameters:
    ///   - constraint: the properties whose combination must be unique.
    ///   - other: the object in the store; `nil` if the other object is also staged.
    ///   - isNew: true if the staged object is not in the store yet.
    case notUnique(constraint: [String], other: EditedLink?, isNew: Bool)
  }

  /// A property with different values on the two sides.
  package struct Property: Hashable, Sendable {
    package let name: String
    /// The value before both changes.
    package let base: StagedValue
    package let mine: StagedValue
    package let theirs: StagedValue

    package var isMineChanged: Bool { mine != base }
    package var isTheirsChanged: Bool { theirs != base }
    /// The side that changed the property. If both did, it is the staged side.
    package var customarySide: Side { isMineChanged ? .mine : .theirs }
  }

  package enum Side: String, Hashable, Sendable {
    case mine, theirs
  }

  /// A person's decision.
  package enum Decision: Hashable, Sendable {
    /// A side for each property. A property without an entry takes the side that changed it.
    case properties([String: Side])
    /// One side for the whole object.
    case whole(Side)
  }

  package let object: EditedLink
  package let kind: Kind
  package let properties: [Property]

  /// The sides that can settle the whole object. Empty if each property is decided separately, or only an
  /// edit can settle the conflict.
  package var sides: [Side] {
    switch kind {
    case .changed: []
    // A deleted object cannot be created again with the same key.
    case .deletedThere: [.theirs]
    case .deletedHere: [.mine, .theirs]
    case .notUnique(_, nil, _): []
    case .notUnique(_, _, let isNew): isNew ? [.mine, .theirs] : [.theirs]
    }
  }

  /// True if only an edit can settle the conflict.
  package var needsEdit: Bool { kind != .changed && sides.isEmpty }
}

/// The result of a save.
package enum SaveOutcome: Sendable {
  /// All staged changes are in the store.
  case saved(count: Int)
  /// The values violate the model's rules. The changes are still staged.
  case invalid([InvalidValue])
  /// The changes conflict with saves by others. They are still staged.
  case conflicts([EditingConflict])
}

/// A value or an object that violates the model's rules.
package struct InvalidValue: Hashable, Sendable {
  /// `nil` if the model does not say which object is invalid.
  package let object: EditedLink?
  /// `nil` if the object as a whole is invalid.
  package let property: String?
  package let message: String
}
