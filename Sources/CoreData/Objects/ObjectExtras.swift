/// The properties that only some objects need: made when one is first needed, so that a plain object stays small.
final class ObjectExtras {
  @exclusivity(unchecked) var objectID: NSManagedObjectID?
  /// The values as they were fetched or last saved, while the object has unsaved ones.
  @exclusivity(unchecked) var committed: Row?
  /// The object before the changes that have not been processed yet.
  @exclusivity(unchecked) var event: EventSnapshot?
  /// The destinations of to-one relationships that have been asked for, by slot.
  @exclusivity(unchecked) var destinations: [NSManagedObject?] = []
  /// The followers of the object, where its class is observable and it was read.
  var observation: ObjectObservation?
  /// The state of the look-up of an unknown key, while a predicate looks it up.
  var undefinedKey: UndefinedKey?
  /// The objects that fetched properties found, by name.
  @exclusivity(unchecked) var fetchedProperties: [String: (found: [NSManagedObject], userInfoChanges: Int)] = [:]
  /// The to-many relationships that have been asked for or changed, by number.
  @exclusivity(unchecked) var toMany: [ToManyState?] = []
  /// The mutable ordered sets of relationships that the program holds, by number.
  @exclusivity(unchecked) var orderedSets: [HeldOrderedSet] = []

  func destination(_ slot: Int) -> NSManagedObject? { slot < destinations.count ? destinations[slot] : nil }

  func forgetDestination(_ slot: Int) {
    if slot < destinations.count { destinations[slot] = nil }
  }

  func setDestination(_ object: NSManagedObject?, slot: Int) {
    if slot >= destinations.count { destinations += repeatElement(nil, count: slot + 1 - destinations.count) }
    destinations[slot] = object
  }

  /// True when the destinations of a to-many relationship changed since the last save, also where they
  /// have not been asked for.
  func hasChanges(toMany index: Int) -> Bool { index < toMany.count && toMany[index]?.hasChanges == true }

  func setState(_ state: ToManyState, index: Int) {
    if index >= toMany.count { toMany += repeatElement(nil, count: index + 1 - toMany.count) }
    toMany[index] = state
  }

  func hold(_ set: RelationshipOrderedSet, index: Int) {
    if index >= orderedSets.count {
      orderedSets += repeatElement(HeldOrderedSet(), count: index + 1 - orderedSets.count)
    }
    orderedSets[index].set = set
  }

  /// Leaves the mutable ordered sets to the program.
  func releaseOrderedSets() {
    for index in orderedSets.indices { orderedSets[index].kept = nil }
  }
}

/// A mutable ordered set of a relationship, as long as the program holds it.
///
/// The reference is weak because the set keeps the object alive.
struct HeldOrderedSet {
  weak var set: RelationshipOrderedSet?
  /// The set while the object has changes: see ``NSManagedObject/keepOrderedSet(_:)``.
  var kept: RelationshipOrderedSet?
}

/// One to-many relationship of one object: what is in it, as far as known, and what changed since the last save.
final class ToManyState {
  /// The destinations; `nil` until they have been asked for.
  @exclusivity(unchecked) var members: ObjectSet?
  /// Destinations that were added since the last save.
  @exclusivity(unchecked) var added = ObjectSet()
  /// Destinations that were removed since the last save.
  @exclusivity(unchecked) var removed = ObjectSet()
  /// True when an ordered relationship has another order than the last save left.
  var isReordered = false
  /// The order that the last save left, or that was fetched, where an ordered relationship has changed since.
  var orderBeforeSave: [NSManagedObject]?
  /// Destinations that were added since changes were last processed.
  @exclusivity(unchecked) var addedInEvent = ObjectSet()
  /// Destinations that were removed since changes were last processed.
  @exclusivity(unchecked) var removedInEvent = ObjectSet()
  /// The order before the changes that have not been processed yet, where it has changed.
  var orderBeforeEvent: [NSManagedObject]?
  /// The destinations as they were last answered, until they change.
  @exclusivity(unchecked) var answer: Any?

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }
  var hasChangesInEvent: Bool { !addedInEvent.isEmpty || !removedInEvent.isEmpty || orderBeforeEvent != nil }

  /// True when the relationship is empty, as far as it is known, and has no unsaved additions or removals.
  var isUntouched: Bool {
    added.isEmpty && removed.isEmpty && addedInEvent.isEmpty && removedInEvent.isEmpty
      && members?.isEmpty != false
  }

  /// Puts all objects into an untouched relationship.
  func fill(_ objects: ObjectSet) {
    var objects = objects
    objects.removeDuplicates()
    members = objects
    added = objects
    addedInEvent = objects
    answer = nil
  }

  // While the destinations are not loaded, it is unknown whether an object was among them before.
  // If the last change added the object, it is a member afterwards; if the last change removed it,
  // it is not. An addition and a removal of the same object do not cancel each other out.

  func recordAdded(_ object: NSManagedObject) {
    if !removed.remove(object) || members == nil { added.append(object) }
    if !removedInEvent.remove(object) || members == nil { addedInEvent.append(object) }
    answer = nil
  }

  /// - Parameter isInStore: false where it is known that the object was not in when changes were last saved.
  func recordRemoved(_ object: NSManagedObject, isInStore: Bool = true) {
    if !added.remove(object) || members == nil, isInStore { removed.append(object) }
    if !addedInEvent.remove(object) || members == nil { removedInEvent.append(object) }
    answer = nil
  }

  func forgetChanges() {
    added.removeAll()
    removed.removeAll()
    isReordered = false
    orderBeforeSave = nil
  }

  /// Forgets all destinations: from now on there are none.
  func end() {
    forgetChanges()
    endEvent()
    members = ObjectSet()
    answer = nil
  }

  func endEvent() {
    addedInEvent.removeAll()
    removedInEvent.removeAll()
    orderBeforeEvent = nil
  }
}

/// An object before the changes of the current event.
struct EventSnapshot {
  /// The members of ``ObjectState/changed`` that the object had.
  let state: ObjectState
  let row: Row?
}
