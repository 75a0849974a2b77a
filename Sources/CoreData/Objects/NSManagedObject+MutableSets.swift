import Foundation

extension NSManagedObject {
  final func mutableSet(_ index: Int) -> NSMutableSet { RelationshipSet(owner: self, index: index) }

  /// The mutable ordered set of a relationship: the same one as long as the program holds it, and until changes are
  /// saved that were made while the program held it.
  final func mutableOrderedSet(_ index: Int) -> NSMutableOrderedSet {
    let state = loadedState(index)
    if let set = heldOrderedSet(index) { return set }
    let set = RelationshipOrderedSet(owner: self, index: index)
    set.mirror(state.members?.objects ?? [])
    ensureExtras().hold(set, index: index)
    return set
  }

  /// The mutable ordered set of a relationship, if the program holds one. Each change of the
  /// relationship is mirrored into it.
  final func heldOrderedSet(_ index: Int) -> RelationshipOrderedSet? {
    guard let held = extras?.orderedSets, index < held.count else { return nil }
    return held[index].set
  }

  /// Keeps the mutable ordered set of a relationship that changes until the changes are saved or dropped.
  ///
  /// The set is kept, because a program that gets the set again for each change would fill it again each time. The set
  /// keeps the object alive; until then, the list of changed objects does so as well.
  final func keepOrderedSet(_ index: Int) {
    guard state.contains(.listed), let extras, index < extras.orderedSets.count,
      extras.orderedSets[index].kept == nil
    else { return }
    extras.orderedSets[index].kept = extras.orderedSets[index].set
  }

  /// Fetches the destinations that mutable ordered sets show after the object has forgotten them.
  ///
  /// A mutable ordered set cannot fetch them itself: several of its members are Foundation's, and cannot be overridden.
  final func refillOrderedSets() {
    guard let held = extras?.orderedSets, !held.isEmpty else { return }
    for (index, held) in held.enumerated() {
      guard let set = held.set else { continue }
      let state = toManyState(index)
      if state.members == nil { load(state, index: index) }
      if state.members == nil { set.mirror([]) }
    }
  }
}
