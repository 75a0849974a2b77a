public import Foundation

extension NSManagedObject {
  /// The answer of a to-many relationship to key-value coding: an `NSSet`, or an `NSOrderedSet`
  /// where it is ordered.
  final func answer(_ index: Int) -> Any {
    let state = loadedState(index)
    if let answer = state.answer { return answer }
    let objects = state.members?.objects ?? []
    let answer: Any = layout.toMany[index].isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    if state.members != nil { state.answer = answer }
    return answer
  }

  /// The destinations of an unordered to-many relationship as a set that can be changed: what is
  /// put into it or taken out of it is put into the relationship or taken out of it, on both sides.
  public final func mutableSetValue(forKey key: String) -> NSMutableSet {
    guard let index = layout.names.index(of: key), index < 0 else { failUnknown(key) }
    return RelationshipSet(owner: self, index: -1 - index)
  }

  /// The destinations of an ordered to-many relationship as an ordered set that can be changed.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    guard let index = layout.names.index(of: key), index < 0 else { failUnknown(key) }
    return RelationshipOrderedSet(owner: self, index: -1 - index)
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
