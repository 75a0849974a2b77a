/// Has the relationships of objects that were in conflict agree again, with each other and with the store.
///
/// A merge policy settles the values of a row, or leaves it deleted. The save calls this afterwards, while the stores
/// are locked, because another context may have changed the other ends:
///
/// * It may have put a new object into a relationship of an object that this context deletes. The delete rules are
///   applied to the destinations that the store has now.
/// * It may have deleted an object to which the context's objects refer. The context's objects are removed from the
///   relationship.
/// * It may have led one end elsewhere. The other ends follow the end that the policy has settled.
///
/// Objects that change in this are validated. A relationship that has to stay, and cannot, fails the save.
struct ConflictReconciliation {
  private let context: NSManagedObjectContext
  private let conflicts: [ConflictedObject]
  /// The objects of which the context has what the store has, with its own changes on top.
  private var upToDate: Set<ObjectIdentifier>

  init(_ conflicts: [ConflictedObject], in context: NSManagedObjectContext) {
    self.context = context
    self.conflicts = conflicts
    upToDate = Set(conflicts.map { ObjectIdentifier($0.object) })
  }

  /// - Throws: the error of a value that is not valid any more, or why the store could not be read.
  mutating func run() throws {
    let found = conflicts.filter { !$0.isGone && $0.object.state.contains(.registered) }
    for conflict in found { conflict.object.bringDestinationsUpToDate() }
    // All former links end before any is made, so that the order of the conflicts does not matter.
    for conflict in conflicts {
      if conflict.isGone { leave(gone: conflict) } else { leaveFormerDestinations(conflict) }
    }
    for conflict in found where !conflict.object.isDeleted {
      enterDestinations(conflict)
      agreeWithDestinations(conflict)
      if conflict.wasDeleted { restoreLinks(to: conflict.object) }
    }
    for conflict in found where conflict.object.isDeleted {
      context.applyDeleteRulesAnew(of: conflict.object) { bringUpToDate($0) }
    }
    for conflict in found where !conflict.object.isDeleted { dropDeletedDestinations(conflict) }
    let changed = context.processChanges()
    try context.throwReadFailure()
    try context.validate(objectsToValidate(changed))
    context.processChanges()
  }

  /// Has an object without changes read again what the store has.
  ///
  /// An object with changes has a version, which the next try to save compares.
  private mutating func bringUpToDate(_ object: NSManagedObject) {
    guard upToDate.insert(ObjectIdentifier(object)).inserted, object.state.contains(.registered),
      !object.hasChanges
    else { return }
    context.refreshObject(object, mergesChanges: true)
  }

  // MARK: - Former links

  /// If the store does not have the object at a destination, the object is not recorded as removed there: the save
  /// would change that destination needlessly, and conflict with other writers of it.
  private mutating func leaveFormerDestinations(_ conflict: ConflictedObject) {
    let object = conflict.object
    for toOne in conflict.toOne {
      let current = object.isDeleted ? nil : object.destination(toOne.slot)
      for destination in toOne.destinations where destination !== current {
        guard canChange(destination), let index = destination.layout.names.index(of: toOne.inverse.name)
        else { continue }
        if index >= 0 {
          destination.lose(object, inverse: toOne.inverse)
          continue
        }
        let isStored = object.committedRow?.reference(toOne.slot) == destination.reference
        let state = destination.toManyState(-1 - index)
        if isStored || state.added.contains(object) || state.members?.contains(object) == true {
          destination.withdraw(object, index: -1 - index, isInStore: isStored)
        }
      }
    }
  }

  /// Removes a deleted object from all relationships through which the context refers to it.
  private mutating func leave(gone conflict: ConflictedObject) {
    // The context has applied the delete rules when it deleted the object itself.
    if conflict.wasDeleted { return }
    for toOne in conflict.toOne {
      for destination in toOne.destinations {
        leave(gone: conflict.object, other: destination, inverse: toOne.inverse)
      }
    }
    for toMany in conflict.toMany {
      for destination in toMany.known + toMany.added {
        leave(gone: conflict.object, other: destination, inverse: toMany.inverse)
      }
    }
  }

  private mutating func leave(
    gone object: NSManagedObject,
    other: NSManagedObject,
    inverse: NSRelationshipDescription
  ) {
    guard canChange(other), let index = other.layout.names.index(of: inverse.name) else { return }
    if index < 0 {
      let state = other.toManyState(-1 - index)
      guard state.added.contains(object) || state.members?.contains(object) == true else { return }
    }
    other.lose(object, inverse: inverse)
  }

  /// Brings an object up to date that is about to change; false when it is deleted.
  private mutating func canChange(_ object: NSManagedObject) -> Bool {
    bringUpToDate(object)
    object.fireFaultIfNeeded()
    return object.isPresent
  }

  // MARK: - Present links

  private mutating func enterDestinations(_ conflict: ConflictedObject) {
    let object = conflict.object
    for toOne in conflict.toOne {
      guard let destination = object.destination(toOne.slot), canChange(destination),
        let index = destination.layout.names.index(of: toOne.inverse.name)
      else { continue }
      if index < 0 {
        // The store has the link already where the policy has taken it from there.
        let isStored = object.committedRow?.reference(toOne.slot) == destination.reference
        let isRemoved = destination.toManyState(-1 - index).removed.contains(object)
        if !isStored || isRemoved { destination.place(object, index: -1 - index) }
      } else {
        if let previous = destination.destination(index) { bringUpToDate(previous) }
        destination.gain(object, inverse: toOne.inverse)
      }
    }
  }

  /// Has the to-many relationships follow the other ends: a destination that has changed its own end stays changed.
  private func agreeWithDestinations(_ conflict: ConflictedObject) {
    let object = conflict.object
    for toMany in conflict.toMany {
      for destination in toMany.added + toMany.removed {
        if destination.isPresent, destination.leads(to: object, by: toMany.inverse) {
          object.place(destination, index: toMany.index)
        } else {
          object.withdraw(destination, index: toMany.index)
        }
      }
    }
  }

  /// Gives an object whose deletion the policy has undone the links back that its delete rules have taken.
  private mutating func restoreLinks(to object: NSManagedObject) {
    for index in object.layout.toMany.indices {
      guard let inverse = object.layout.toMany[index].relationship.frozenInverse else { continue }
      for destination in object.members(index) {
        guard canChange(destination), let back = destination.layout.names.index(of: inverse.name) else {
          object.withdraw(destination, index: index)
          continue
        }
        if back < 0 {
          let removed = destination.toManyState(-1 - back).removed.contains(object)
          if removed { destination.place(object, index: -1 - back) }
        } else if let other = destination.destination(back) {
          if other !== object { object.withdraw(destination, index: index) }
        } else {
          destination.writeReference(object, slot: back)
        }
      }
    }
  }

  /// A link that another writer has added to an object that the context deletes ends with that object.
  private func dropDeletedDestinations(_ conflict: ConflictedObject) {
    for toOne in conflict.toOne {
      guard let destination = conflict.object.destination(toOne.slot), !destination.isPresent else { continue }
      conflict.object.writeReference(nil, slot: toOne.slot)
    }
  }

  // MARK: - Validation

  /// The objects that have other relationships than they were validated with.
  private func objectsToValidate(_ changed: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
    var objects = changed
    for conflict in conflicts where conflict.object.isDeleted || conflict.hasChangedToMany {
      objects.append(conflict.object)
    }
    var known: Set<ObjectIdentifier> = []
    return objects.filter { object in
      object.state.contains(.registered) && object.state.isDisjoint(with: [.inaccessible, .deletedElsewhere])
        && known.insert(ObjectIdentifier(object)).inserted
    }
  }
}

extension NSManagedObject {
  fileprivate final var isPresent: Bool { !isDeleted && state.contains(.registered) }

  /// True when a relationship of the object leads to another one. The destinations of a to-many relationship are
  /// fetched only where its changes do not tell.
  fileprivate final func leads(to object: NSManagedObject, by relationship: NSRelationshipDescription) -> Bool {
    guard let index = layout.names.index(of: relationship.name) else { return false }
    if index >= 0 { return destination(index) === object }
    let state = toManyState(-1 - index)
    if state.added.contains(object) { return true }
    if state.removed.contains(object) { return false }
    return loadedState(-1 - index).members?.contains(object) == true
  }

  /// Puts the changes of to-many relationships on top of what the store has now.
  fileprivate final func bringDestinationsUpToDate() {
    for case (let index, let state?) in (extras?.toMany ?? []).enumerated() {
      let own = state.isReordered ? state.members?.objects : nil
      state.members = nil
      state.answer = nil
      // A save writes an order as a whole.
      guard layout.toMany[index].isOrdered, state.hasChanges else { continue }
      load(state, index: index)
      if let own, state.members != nil { setOrder(merged(own, with: state.members?.objects ?? []), index: index) }
    }
    refillOrderedSets()
  }

  /// The present destinations in the object's own order, followed by those that another writer has added.
  private final func merged(_ own: [NSManagedObject], with present: [NSManagedObject]) -> [NSManagedObject] {
    var known = ObjectSet(own)
    var wanted = ObjectSet(present)
    return own.filter { wanted.contains($0) } + present.filter { !known.contains($0) }
  }
}
