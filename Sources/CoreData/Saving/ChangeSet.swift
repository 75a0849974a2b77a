/// Everything that one save changes, as plain values: what a context hands to its parent or to the coordinator.
// Passed on by a save that waits for the answer; no code changes its rows meanwhile.
package struct ChangeSet: @unchecked Sendable {
  var inserted: [ObjectChange] = []
  var updated: [ObjectChange] = []
  var deleted: [ObjectChange] = []
  /// The author and the context of the changes, for the history.
  package var origin = ChangeOrigin()
  /// True when changed objects may exchange the values of uniqueness constraints.
  var exchangesUniqueValues = false

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ChangeSet {
  /// A new object takes the values of another with it: one that could not be read would be lost.
  ///
  /// - Throws: the error for which a value of an inserted object could not be read.
  func requireReadableInsertions() throws {
    for index in inserted.indices { try inserted[index].row?.requireReadable() }
  }
}

/// The author of changes and the name of their context, as the history records them.
package struct ChangeOrigin: Sendable {
  package var author: String?
  package var contextName: String?

  package init(author: String? = nil, contextName: String? = nil) {
    self.author = author
    self.contextName = contextName
  }
}

/// The change of one object in a save.
// `@unchecked` for the same reason as its change set. The saving context keeps the model alive, and
// the model keeps its layouts alive.
package struct ObjectChange: @unchecked Sendable {
  /// The object; its key is negative while no store has given it a permanent one.
  package var reference: ObjectReference
  // The model owns it: see above.
  package unowned(unsafe) let layout: EntityLayout
  /// The values to be kept. References to unsaved objects in it are temporary. A deletion has none, or those of
  /// ``changedSlots`` for a parent context.
  package let row: Row?
  /// The values that the change started from, with their version; `nil` for an insertion.
  package let committed: Row?
  /// The slots that differ from the committed row, without the transient ones. An insertion has all
  /// slots. A deletion has only the relationships, and only for a parent context.
  var changedSlots: [Int]
  /// The changes of to-many relationships. Both sides of a relationship report their part. A deletion has them for a
  /// parent context alone.
  package var toMany: [ToManyChange]
}

/// The change of one to-many relationship of one object in a save.
package struct ToManyChange: Sendable {
  /// The relationship's number in its entity's layout.
  package let relationship: Int
  let added: [ObjectReference]
  let removed: [ObjectReference]
  /// All destinations in their order, for an ordered relationship.
  let ordered: [ObjectReference]?
}

/// The outcome of the commit of a change set.
package enum CommitOutcome {
  /// All of it is kept. The first dictionary has the permanent key of every temporary one, the second the number of the
  /// transaction in the history of each store that keeps one, by the store's identifier.
  case saved(permanentReferences: [Int64: ObjectReference], transactions: [String: Int64] = [:])
  /// Nothing is saved, because another writer has changed the same objects.
  case conflicts([VersionConflict])
  /// Nothing is kept, since uniqueness constraints would be broken.
  case violations([ConstraintViolation])
}

/// An object that has the values of another, which a uniqueness constraint forbids.
// The answer to a save that waits for it; its row is immutable.
package struct ConstraintViolation: @unchecked Sendable {
  /// The object of the change set.
  package let reference: ObjectReference
  package let constraint: ConstraintLayout
  /// The object that has the values in the store; `nil` when it is in the same change set.
  package let holder: ObjectReference?
  /// The row that the store has of that object.
  let persisted: Row?

  package init(
    reference: ObjectReference,
    constraint: ConstraintLayout,
    holder: ObjectReference?,
    persisted: Row?
  ) {
    self.reference = reference
    self.constraint = constraint
    self.holder = holder
    self.persisted = persisted
  }
}

/// An object that another writer has changed since this context read it.
// The answer to a save that waits for it; its row is immutable, and owns what it is read by.
package struct VersionConflict: @unchecked Sendable {
  package let reference: ObjectReference
  /// The row that is in the store now; `nil` when the object is gone.
  let persisted: Row?

  package init(reference: ObjectReference, persisted: Row?) {
    self.reference = reference
    self.persisted = persisted
  }
}

/// The references of the objects that a save inserted, changed and deleted, for the contexts that
/// merge a save of another context.
package struct SavedReferences: Sendable {
  var inserted: [ObjectReference] = []
  var updated: [ObjectReference] = []
  var deleted: [ObjectReference] = []
  /// True when nothing is known but that anything may have changed.
  var isEverything = false

  package init(
    inserted: [ObjectReference] = [],
    updated: [ObjectReference] = [],
    deleted: [ObjectReference] = [],
    isEverything: Bool = false
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.isEverything = isEverything
  }

  var count: Int { inserted.count + updated.count + deleted.count }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && !isEverything }
}
