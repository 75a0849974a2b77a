import Predicates

/// A batch insertion as the channel carries it.
package struct BatchInsertion {
  package let layout: EntityLayout
  /// The stores that may take the objects, by index; `nil` for any.
  package let stores: Set<Int32>?
  /// The type of the merge policy, which decides what becomes of objects that break a uniqueness constraint.
  package let mergeType: NSMergePolicyType
  /// True when the references of the objects are asked for, and not their number alone.
  package let wantsReferences: Bool
  /// The next object; `nil` at the end.
  package let next: () throws -> BatchRow?
  /// The author and the context that insert the objects, for the history.
  package var origin = ChangeOrigin()

  package init(
    layout: EntityLayout,
    stores: Set<Int32>?,
    mergeType: NSMergePolicyType,
    wantsReferences: Bool,
    next: @escaping () throws -> BatchRow?,
    origin: ChangeOrigin = ChangeOrigin()
  ) {
    self.layout = layout
    self.stores = stores
    self.mergeType = mergeType
    self.wantsReferences = wantsReferences
    self.next = next
    self.origin = origin
  }
}

/// An object of a batch insertion.
package struct BatchRow {
  /// All values, defaults included.
  package let row: Row
  /// The slots whose values were given. Empty unless only these values replace those of a row that is in the store.
  package let given: [Int]
}

/// A batch deletion as the channel carries it.
package struct BatchDeletion {
  /// The query that finds the objects to be deleted.
  package var query: FetchQuery
  /// True when the references of the objects are asked for, and not their number alone.
  package var wantsReferences = true
}

extension BatchDeletion {
  /// The error where an object that stays has to lead to one that is deleted.
  package static func stranding(_ relationship: NSRelationshipDescription) -> NSError {
    CocoaError.coreData(
      NSPersistentStoreSaveConflictsError,
      message: """
        the batch deletion would leave objects of \(relationship.entity.name ?? "") without \
        \(relationship.modelPath), which is required; delete these objects first, or by the same request, or make the \
        relationship optional.
        """
    )
  }
}

/// A batch update as the channel carries it.
package struct BatchUpdate {
  /// The query that finds the objects to be changed.
  package var query: FetchQuery
  package let assignments: [Assignment]
  /// True when the references of the objects are asked for, and not their number alone.
  package let wantsReferences: Bool

  package struct Assignment {
    /// The slot in the layout of the query's entity.
    package let slot: Int
    package let value: Value
  }

  package enum Value {
    case constant(StoredValue)
    case expression(NSExpression)
  }
}

/// The outcome of a batch request: the number of its objects, and their references.
package struct BatchOutcome {
  var count = 0
  /// Empty unless asked for.
  var references: [ObjectReference] = []

  package init(count: Int = 0, references: [ObjectReference] = []) {
    self.count = count
    self.references = references
  }

  package mutating func add(_ other: BatchOutcome) {
    count += other.count
    references += other.references
  }
}
