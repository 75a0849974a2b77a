/// What somebody else has saved meanwhile, and a staged change that does not go with it.
package struct EditingConflict: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Both have changed the object.
    case changed
    /// The object that was changed here was deleted there.
    case deletedThere
    /// The object that is to be deleted here was changed there.
    case deletedHere
    /// Another object has the values of a uniqueness constraint.
    ///
    /// - Parameters:
    ///   - constraint: the properties that have to be unique together.
    ///   - other: the object in the store; `nil` where it is another staged one.
    ///   - isNew: true where the staged object is not in the store yet.
    case notUnique(constraint: [String], other: EditedLink?, isNew: Bool)
  }

  /// A property that is not the same on both sides.
  package struct Property: Hashable, Sendable {
    package let name: String
    /// The value that both began with.
    package let base: StagedValue
    package let mine: StagedValue
    package let theirs: StagedValue

    package var isMineChanged: Bool { mine != base }
    package var isTheirsChanged: Bool { theirs != base }
    /// The side that has changed the property; mine where both have.
    package var customarySide: Side { isMineChanged ? .mine : .theirs }
  }

  package enum Side: String, Hashable, Sendable {
    case mine, theirs
  }

  /// A person's decision.
  package enum Decision: Hashable, Sendable {
    /// The sides of properties; of those that are left out, the side that has changed them.
    case properties([String: Side])
    /// One side as a whole.
    case whole(Side)
  }

  package let object: EditedLink
  package let kind: Kind
  package let properties: [Property]

  /// The sides that the object can be settled by as a whole; none where it is settled by properties, or by an
  /// edit alone.
  package var sides: [Side] {
    switch kind {
    case .changed: []
    // What is deleted cannot be made again under its key.
    case .deletedThere: [.theirs]
    case .deletedHere: [.mine, .theirs]
    case .notUnique(_, nil, _): []
    case .notUnique(_, _, let isNew): isNew ? [.mine, .theirs] : [.theirs]
    }
  }

  /// True when an edit is the only way to settle it.
  package var needsEdit: Bool { kind != .changed && sides.isEmpty }
}

/// What became of a save.
package enum SaveOutcome: Sendable {
  /// All staged changes are in the store.
  case saved(count: Int)
  /// The model does not allow the changes, which are still staged.
  case invalid([InvalidValue])
  /// Others have saved what does not go with the changes, which are still staged.
  case conflicts([EditingConflict])
}

/// A value, or an object as a whole, that the model does not allow to be saved.
package struct InvalidValue: Hashable, Sendable {
  /// `nil` where the model does not say which object it is about.
  package let object: EditedLink?
  /// `nil` where it is about the object as a whole.
  package let property: String?
  package let message: String
}
