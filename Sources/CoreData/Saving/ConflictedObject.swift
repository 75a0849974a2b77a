/// An object that was in conflict, with the destinations of its relationships from before the merge policy was called.
///
/// A policy looks at the values of one row. The other ends of its relationships are other rows, of which the policy
/// knows nothing: see ``ConflictReconciliation``.
struct ConflictedObject {
  /// A to-one relationship with an inverse, and all of its destinations: in the context before and after its changes,
  /// and in the store.
  struct ToOne {
    let slot: Int
    let inverse: NSRelationshipDescription
    let destinations: [NSManagedObject]
  }

  /// A to-many relationship with an inverse that the context has used.
  struct ToMany {
    let index: Int
    let inverse: NSRelationshipDescription
    let added: [NSManagedObject]
    let removed: [NSManagedObject]
    /// The destinations that the context had, of an object that is gone; empty for any other.
    let known: [NSManagedObject]
  }

  let object: NSManagedObject
  /// True when the store does not have the object any more.
  let isGone: Bool
  /// True when the context had deleted the object.
  let wasDeleted: Bool
  let toOne: [ToOne]
  let toMany: [ToMany]

  /// True when the context had put objects into to-many relationships, or had taken objects out.
  var hasChangedToMany: Bool { toMany.contains { !$0.added.isEmpty || !$0.removed.isEmpty } }

  /// - Parameter persisted: the row that the store has of the object; `nil` when the object is gone.
  init(_ object: NSManagedObject, persisted: Row?, in context: NSManagedObjectContext) {
    self.object = object
    isGone = persisted == nil
    wasDeleted = object.isDeleted
    toOne = Self.toOne(object, persisted: persisted, context: context)
    toMany = Self.toMany(object, isGone: persisted == nil)
  }

  private static func toOne(_ object: NSManagedObject, persisted: Row?, context: NSManagedObjectContext) -> [ToOne] {
    let (current, committed) = (object.rowAtHand, object.committedRow)
    return object.layout.referenceSlots.compactMap { slot in
      guard let inverse = object.layout.slots[slot].relationship?.frozenInverse else { return nil }
      let references = [current, committed, persisted].map { row in row?.reference(slot) }
      // A relationship that neither side of the conflict changed agrees with its other end.
      if persisted != nil, !object.isDeleted, Set(references).count == 1 { return nil }
      let destinations = Set(references.compactMap(\.self)).map(context.object(for:))
      return ToOne(slot: slot, inverse: inverse, destinations: destinations)
    }
  }

  private static func toMany(_ object: NSManagedObject, isGone: Bool) -> [ToMany] {
    var found: [ToMany] = []
    for case (let index, let state?) in (object.extras?.toMany ?? []).enumerated() {
      guard let inverse = object.layout.toMany[index].relationship.frozenInverse else { continue }
      found.append(
        ToMany(
          index: index,
          inverse: inverse,
          added: state.added.objects,
          removed: state.removed.objects,
          known: isGone ? state.members?.objects ?? [] : []
        )
      )
    }
    return found
  }
}
