import Foundation

extension NSManagedObject {
  final func toManyState(_ index: Int) -> ToManyState {
    let extras = makeExtras()
    if extras.toMany.count <= index {
      extras.toMany += Array(repeating: nil, count: layout.toMany.count - extras.toMany.count)
    }
    if let state = extras.toMany[index] { return state }
    let state = ToManyState()
    extras.toMany[index] = state
    return state
  }

  /// The state of a to-many relationship with its destinations, which are fetched if need be.
  final func loadedState(_ index: Int) -> ToManyState {
    let state = toManyState(index)
    if state.members == nil { load(state, index) }
    return state
  }

  /// The destinations of a to-many relationship, in order where it is ordered.
  final func members(_ index: Int) -> [NSManagedObject] {
    loadedState(index).members?.objects ?? []
  }

  private final func load(_ state: ToManyState, _ index: Int) {
    take(isKeptSomewhere ? registry.context?.fetchDestinations(index, of: self) ?? [] : [], state, index)
  }

  /// Takes the destinations that the store has; what was put in and taken out here stays so.
  final func takeDestinations(_ committed: [NSManagedObject], _ index: Int) {
    take(committed, toManyState(index), index)
  }

  private final func take(_ committed: [NSManagedObject], _ state: ToManyState, _ index: Int) {
    var members = RelationshipMembers(committed, isOrdered: layout.toMany[index].isOrdered)
    for (identity, object) in state.added {
      if members.contains(object) { state.added[identity] = nil }
      members.insert(object)
    }
    for object in state.removed.values { members.remove(object) }
    state.members = members
  }

  /// Whether a store or a parent context may know destinations of the object.
  final var isKeptSomewhere: Bool {
    state.contains(.registered) && !state.contains(.inserted)
  }

  /// Puts an object into a to-many relationship, and keeps the other sides in step.
  final func insert(_ object: NSManagedObject, into index: Int) {
    let relationship = layout.toMany[index].relationship
    checkDestination(object, of: relationship)
    guard place(object, index), let inverse = relationship.frozenInverse else { return }
    object.gain(self, inverse)
  }

  /// Takes an object out of a to-many relationship, and keeps the other side in step.
  final func remove(_ object: NSManagedObject, from index: Int) {
    guard withdraw(object, index), let inverse = layout.toMany[index].relationship.frozenInverse else {
      return
    }
    object.lose(self, inverse)
  }

  /// Makes these objects the destinations of a to-many relationship, in this order where it is ordered.
  final func replaceMembers(_ objects: [NSManagedObject], _ index: Int) {
    let state = loadedState(index)
    let wanted = Set(objects.map(ObjectIdentifier.init))
    for object in state.members?.objects ?? [] where !wanted.contains(ObjectIdentifier(object)) {
      remove(object, from: index)
    }
    for object in objects { insert(object, into: index) }
    if layout.toMany[index].isOrdered { setOrder(objects, index) }
  }

  final func setOrder(_ objects: [NSManagedObject], _ index: Int) {
    let state = loadedState(index)
    let ordered = RelationshipMembers(objects, isOrdered: true)
    if let members = state.members, members.objects.elementsEqual(ordered.objects, by: ===) { return }
    prepareForChange(of: state, index)
    state.members = ordered
    state.isReordered = true
    state.answer = nil
    noteChange()
  }

  /// Puts an object in on this side alone; false when it was in already.
  @discardableResult
  final func place(_ object: NSManagedObject, _ index: Int) -> Bool {
    fireFaultIfNeeded()
    let isOrdered = layout.toMany[index].isOrdered
    let state = isOrdered ? loadedState(index) : toManyState(index)
    if let members = state.members {
      if members.contains(object) { return false }
      prepareForChange(of: state, index)
      state.members?.insert(object)
    } else if state.added[ObjectIdentifier(object)] != nil {
      return false
    } else {
      prepareForChange(of: state, index)
    }
    state.noteAdded(object)
    if isOrdered { state.isReordered = true }
    noteChange()
    return true
  }

  /// Takes an object out on this side alone; false when it was not in.
  @discardableResult
  final func withdraw(_ object: NSManagedObject, _ index: Int) -> Bool {
    fireFaultIfNeeded()
    let state = toManyState(index)
    if let members = state.members {
      if !members.contains(object) { return false }
      prepareForChange(of: state, index)
      state.members?.remove(object)
    } else if state.removed[ObjectIdentifier(object)] != nil {
      return false
    } else {
      prepareForChange(of: state, index)
    }
    state.noteRemoved(object)
    if layout.toMany[index].isOrdered { state.isReordered = true }
    noteChange()
    return true
  }

  /// Keeps what the object and an ordered relationship are like before the first change of an event.
  private final func prepareForChange(of relationship: ToManyState, _ index: Int) {
    fireFaultIfNeeded()
    if !state.contains(.eventNoted) { noteEvent() }
    if layout.toMany[index].isOrdered, relationship.orderBeforeEvent == nil {
      relationship.orderBeforeEvent = relationship.members?.objects
    }
  }

  /// All destinations of all relationships with their rule, for the deletion of the object.
  final func destinationsForDeletion() -> [(NSRelationshipDescription, [NSManagedObject])] {
    var result: [(NSRelationshipDescription, [NSManagedObject])] = []
    for slot in layout.slots.indices {
      guard let relationship = layout.slots[slot].relationship else { continue }
      result.append((relationship, destination(slot).map { [$0] } ?? []))
    }
    for index in layout.toMany.indices {
      result.append((layout.toMany[index].relationship, members(index)))
    }
    return result
  }
}
