import Predicates

/// A batch insertion as the channel carries it.
struct BatchInsertion {
  let layout: EntityLayout
  /// The stores that may take the objects, by index; `nil` for any.
  let stores: Set<Int32>?
  /// The type of the merge policy, which decides what becomes of objects that break a uniqueness
  /// constraint.
  let mergeType: NSMergePolicyType
  /// True when the references of the objects are asked for, and not their number alone.
  let wantsReferences: Bool
  /// The next object; `nil` at the end.
  let next: () throws -> BatchRow?
  /// The author and the context that insert the objects, for the history.
  var origin = ChangeOrigin()
}

/// An object of a batch insertion.
struct BatchRow {
  /// All values, defaults included.
  let row: Row
  /// The slots whose values were given. Empty unless only these values replace those of a row that
  /// is in the store.
  let given: [Int]
}

/// A batch deletion as the channel carries it.
struct BatchDeletion {
  /// The query that finds the objects to be deleted.
  var query: FetchQuery
  /// True when the references of the objects are asked for, and not their number alone.
  var wantsReferences = true
}

extension BatchDeletion {
  /// The error where an object that stays has to lead to one that is deleted.
  static func stranding(_ relationship: NSRelationshipDescription) -> NSError {
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
struct BatchUpdate {
  /// The query that finds the objects to be changed.
  var query: FetchQuery
  let assignments: [Assignment]
  /// True when the references of the objects are asked for, and not their number alone.
  let wantsReferences: Bool

  struct Assignment {
    /// The slot in the layout of the query's entity.
    let slot: Int
    let value: Value
  }

  enum Value {
    case constant(StoredValue)
    case expression(NSExpression)
  }
}

/// The outcome of a batch request: the number of its objects, and their references.
struct BatchOutcome {
  var count = 0
  /// Empty unless asked for.
  var references: [ObjectReference] = []

  mutating func add(_ other: BatchOutcome) {
    count += other.count
    references += other.references
  }
}
