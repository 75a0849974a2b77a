public import Foundation

extension NSManagedObject {
  final func toManyState(_ index: Int) -> ToManyState {
    let extras = ensureExtras()
    if index < extras.toMany.count, let state = extras.toMany[index] { return state }
    let state = ToManyState()
    extras.setState(state, index: index)
    return state
  }

  /// The state of a to-many relationship with its destinations, which are fetched if need be.
  final func loadedState(_ index: Int) -> ToManyState {
    recordAccess(-1 - index)
    let state = toManyState(index)
    if state.members == nil { load(state, index: index) }
    return state
  }

  /// The destinations of a to-many relationship, in order where it is ordered.
  final func members(_ index: Int) -> [NSManagedObject] { loadedState(index).members?.objects ?? [] }

  /// Destinations that cannot be read stay to be fetched: the next access tries again.
  final func load(_ state: ToManyState, index: Int) {
    guard isStoredSomewhere else { return rebase([], state: state, index: index) }
    guard let context = registry.context else { return ReadFailure(of: self).log() }
    if let found = context.fetchDestinations(index, of: self) { rebase(found, state: state, index: index) }
  }

  /// The destinations of a to-many relationship, for callers that can handle the error of a failed read.
  final func readMembers(_ index: Int) throws -> [NSManagedObject] {
    let state = toManyState(index)
    if state.members == nil, isStoredSomewhere, let context = registry.context {
      rebase(try context.readDestinations(index, of: self), state: state, index: index)
    }
    return members(index)
  }

  /// Puts what was inserted and removed here on top of the destinations that the store has.
  final func rebaseDestinations(_ committed: [NSManagedObject], index: Int) {
    rebase(committed, state: toManyState(index), index: index)
  }

  private final func rebase(_ committed: [NSManagedObject], state: ToManyState, index: Int) {
    let isOrdered = layout.toMany[index].isOrdered
    var members = ObjectSet(committed)
    for object in state.added.objects {
      if members.contains(object) {
        state.added.remove(object)
      } else {
        members.append(object)
      }
    }
    for object in state.removed.objects where !members.remove(object, preservesOrder: isOrdered) {
      state.removed.remove(object)
    }
    if let set = heldOrderedSet(index) { set.mirror(members.objects) }
    state.members = members
    if isOrdered { state.orderBeforeSave = state.hasChanges ? committed : nil }
  }

  /// True when a store or a parent context may know destinations of the object.
  final var isStoredSomewhere: Bool { state.contains(.registered) && !state.contains(.inserted) }

  /// Puts an object into a to-many relationship, and keeps the other sides in step.
  final func insert(_ object: NSManagedObject, into index: Int) {
    checkConfinement()
    let relationship = layout.toMany[index].relationship
    checkDestination(object, of: relationship)
    guard isDestination(object, index: index) != true, place(object, index: index),
      let inverse = relationship.frozenInverse
    else { return }
    object.gain(self, inverse: inverse)
  }

  /// Puts an object that is not in an ordered relationship at a place of it, and keeps the other side in step.
  final func insert(_ object: NSManagedObject, into index: Int, at place: Int) {
    checkConfinement()
    let relationship = layout.toMany[index].relationship
    checkDestination(object, of: relationship)
    fireFaultIfNeeded()
    let state = loadedState(index)
    guard state.members?.contains(object) == false else { return }
    prepareForChange(of: state, index: index)
    state.members?.insert(object, at: place)
    heldOrderedSet(index)?.mirrorInsertion(of: object, at: place)
    state.recordAdded(object)
    state.isReordered = true
    recordChange()
    if let inverse = relationship.frozenInverse { object.gain(self, inverse: inverse) }
  }

  /// Has two objects of an ordered relationship change their places.
  final func exchangeMembers(at one: Int, with other: Int, of index: Int) {
    checkConfinement()
    let state = loadedState(index)
    guard one != other, state.members != nil else { return }
    prepareForChange(of: state, index: index)
    state.members?.swapAt(one, other: other)
    heldOrderedSet(index)?.mirrorExchange(of: one, with: other)
    state.isReordered = true
    state.answer = nil
    recordChange()
  }

  /// Takes an object out of a to-many relationship, and keeps the other side in step.
  ///
  /// An object of another entity is not in the relationship. It is not recorded as removed either,
  /// because its key may be that of a destination.
  final func remove(_ object: NSManagedObject, from index: Int) {
    checkConfinement()
    let relationship = layout.toMany[index].relationship
    let entity = object.layout.entity
    if let wanted = relationship.frozenDestination, entity !== wanted, !entity.isKindOf(entity: wanted) { return }
    guard isDestination(object, index: index) != false, withdraw(object, index: index),
      let inverse = relationship.frozenInverse
    else { return }
    object.lose(self, inverse: inverse)
  }

  /// True when an object is in a relationship whose destinations have not been asked for, false
  /// when it is not, and `nil` where they have been asked for or the object's own side cannot tell.
  private final func isDestination(_ object: NSManagedObject, index: Int) -> Bool? {
    guard toManyState(index).members == nil, let inverse = layout.toMany[index].relationship.frozenInverse,
      let slot = object.layout.names.index(of: inverse.name), slot >= 0
    else { return nil }
    return object.destination(slot) === self
  }

  /// Makes these objects the destinations of a to-many relationship, in this order where it is ordered.
  final func replaceMembers(_ objects: [NSManagedObject], index: Int) {
    let isOrdered = layout.toMany[index].isOrdered
    if !isOrdered, fill(index, with: objects) { return }
    let present = members(index)
    if !present.isEmpty {
      var wanted = ObjectSet(objects)
      for object in present where !wanted.contains(object) { remove(object, from: index) }
    }
    for object in objects { insert(object, into: index) }
    if isOrdered { setOrder(objects, index: index) }
  }

  /// Adds all objects at once to a relationship that is empty and has no unsaved changes, as
  /// relationships of new objects are.
  ///
  /// - Returns: false when the relationship is not like that.
  private final func fill(_ index: Int, with objects: [NSManagedObject]) -> Bool {
    if objects.isEmpty { return false }
    fireFaultIfNeeded()
    let state = loadedState(index)
    guard state.members != nil, state.isUntouched else { return false }
    let relationship = layout.toMany[index].relationship
    for object in objects { checkDestination(object, of: relationship) }
    prepareForChange(of: state, index: index)
    state.fill(ObjectSet(objects))
    if let set = heldOrderedSet(index) { set.mirror(state.members?.objects ?? []) }
    recordChange()
    guard let inverse = relationship.frozenInverse else { return true }
    for object in state.members?.objects ?? [] { object.gain(self, inverse: inverse) }
    return true
  }

  final func setOrder(_ objects: [NSManagedObject], index: Int) {
    let state = loadedState(index)
    var ordered = ObjectSet(objects)
    if let present = state.members?.objects, present.elementsEqual(ordered.objects, by: ===) { return }
    prepareForChange(of: state, index: index)
    state.members = ordered
    heldOrderedSet(index)?.mirror(ordered.objects)
    state.isReordered = true
    state.answer = nil
    recordChange()
  }

  /// Puts an object in on this side alone; false when it was in already.
  ///
  /// - Parameter isNew: true when the other side has found that the object was not a member, so
  ///   that it need not be searched here.
  @discardableResult
  final func place(_ object: NSManagedObject, index: Int, isNew: Bool = false) -> Bool {
    fireFaultIfNeeded()
    let isOrdered = layout.toMany[index].isOrdered
    let state = isOrdered || !isNew && recordsUndo ? loadedState(index) : toManyState(index)
    if !isNew, state.members?.contains(object) ?? state.added.contains(object) { return false }
    prepareForChange(of: state, index: index)
    state.members?.append(object)
    heldOrderedSet(index)?.mirrorAddition(of: object)
    state.recordAdded(object)
    if isOrdered { state.isReordered = true }
    recordChange()
    return true
  }

  /// Takes an object out on this side alone; false when it was not in.
  ///
  /// - Parameter isInStore: false where it is known that the store does not have the object in the relationship.
  @discardableResult
  final func withdraw(_ object: NSManagedObject, index: Int, isInStore: Bool = true) -> Bool {
    fireFaultIfNeeded()
    let isOrdered = layout.toMany[index].isOrdered
    let state = recordsUndo ? loadedState(index) : toManyState(index)
    let place = isOrdered ? state.members?.place(of: object) : nil
    if isOrdered, state.members != nil {
      if place == nil { return false }
    } else if !(state.members?.contains(object) ?? !state.removed.contains(object)) {
      return false
    }
    prepareForChange(of: state, index: index)
    if isOrdered { heldOrderedSet(index)?.mirrorRemoval(of: object, at: place) }
    if let place { state.members?.remove(at: place) } else { state.members?.remove(object) }
    state.recordRemoved(object, isInStore: isInStore)
    if isOrdered { state.isReordered = true }
    recordChange()
    return true
  }

  /// True when changes are recorded to be undone: it has to be known then what a relationship was like before.
  private final var recordsUndo: Bool { registry.context?.undoManager?.isUndoRegistrationEnabled == true }

  /// Keeps what the object and an ordered relationship are like before the first change of an event.
  private final func prepareForChange(of relationship: ToManyState, index: Int) {
    fireFaultIfNeeded()
    announceChange(-1 - index)
    if !state.contains(.eventRecorded) { recordEventSnapshot() }
    guard layout.toMany[index].isOrdered else { return }
    keepOrderedSet(index)
    if relationship.orderBeforeEvent == nil { relationship.orderBeforeEvent = relationship.members?.objects }
    if !relationship.hasChanges { relationship.orderBeforeSave = relationship.members?.objects }
  }

  /// All destinations of all relationships with their rule, for the deletion of the object.
  final func destinationsForDeletion() -> [(NSRelationshipDescription, [NSManagedObject])] {
    var result: [(NSRelationshipDescription, [NSManagedObject])] = []
    for slot in layout.slots.indices {
      guard let relationship = layout.slots[slot].relationship else { continue }
      result.append((relationship, destination(slot).map { [$0] } ?? []))
    }
    for index in layout.toMany.indices { result.append((layout.toMany[index].relationship, members(index))) }
    return result
  }
}

extension NSManagedObject {
  /// The answer of a to-many relationship to key-value coding: an `NSSet`, or an `NSOrderedSet` where it is ordered.
  final func answer(_ index: Int) -> Any {
    let state = loadedState(index)
    if let answer = state.answer { return answer }
    let objects = state.members?.objects ?? []
    let answer: Any = layout.toMany[index].isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    if state.members != nil { state.answer = answer }
    return answer
  }

  /// The destinations of an unordered to-many relationship as a mutable set. Adding an object to
  /// the set, or removing it, changes both sides of the relationship.
  ///
  /// ```swift
  /// let tag = Tag(context: context)
  /// tag.name = "spring"
  /// note.mutableSetValue(forKey: "tags").add(tag)
  /// print(tag.notes.contains(note))  // true
  /// ```
  public final func mutableSetValue(forKey key: String) -> NSMutableSet {
    checkConfinement()
    guard let index = layout.names.index(of: key), index < 0 else { failUnknown(key) }
    return mutableSet(-1 - index)
  }

  /// The destinations of an ordered to-many relationship as an ordered set that can be changed.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    guard let index = layout.names.index(of: key), index < 0 else { failUnknown(key) }
    return mutableOrderedSet(-1 - index)
  }

  final func destinationIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    guard let index = layout.names.index(of: key) else { failUnknown(key) }
    return index < 0 ? members(-1 - index).map(\.objectID) : destination(index).map { [$0.objectID] } ?? []
  }

  final func hasRelationshipFault(_ key: String) -> Bool {
    guard let index = layout.names.index(of: key) else { failUnknown(key) }
    guard let extras else { return true }
    if index >= 0 { return extras.destination(index) == nil && rowAtHand?.hasValue(index) != false }
    return -1 - index >= extras.toMany.count || extras.toMany[-1 - index]?.members == nil
  }
}
