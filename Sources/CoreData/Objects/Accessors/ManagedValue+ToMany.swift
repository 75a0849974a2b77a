public import Foundation

/// The accessors of to-many relationships: `addToTags(_:)`, `insertIntoSteps(_:at:)` and their like.
extension NSManagedObject {
  /// Puts an object into a to-many relationship: at the end where it is ordered.
  public final func addManagedValue(_ object: NSManagedObject, _ key: StaticString) {
    insert(object, into: toMany(key))
  }

  /// Takes an object out of a to-many relationship.
  public final func removeManagedValue(_ object: NSManagedObject, _ key: StaticString) {
    remove(object, from: toMany(key))
  }

  /// Puts objects into a to-many relationship.
  public final func addManagedValues(_ objects: some Sequence, _ key: StaticString) {
    let index = toMany(key)
    for object in managed(Array(objects), key: key) { insert(object, into: index) }
  }

  /// Takes objects out of a to-many relationship.
  public final func removeManagedValues(_ objects: some Sequence, _ key: StaticString) {
    let index = toMany(key)
    for object in managed(Array(objects), key: key) { remove(object, from: index) }
  }

  /// Leaves those objects alone in a to-many relationship that are among the given ones.
  public final func intersectManagedValues(_ objects: some Sequence, _ key: StaticString) {
    let index = toMany(key)
    let others = Set(managed(Array(objects), key: key).map(ObjectIdentifier.init))
    for object in members(index) where !others.contains(ObjectIdentifier(object)) { remove(object, from: index) }
  }

  /// Puts an object at a place of an ordered relationship; one that is in it already stays where it is.
  public final func insertManagedValue(_ object: NSManagedObject, at place: Int, _ key: StaticString) {
    let index = toMany(key)
    let count = loadedState(index).members?.count ?? 0
    guard place >= 0, place <= count else { failPlace(place, count: count, key: key) }
    insert(object, into: index, at: place)
  }

  /// Puts objects at places of an ordered relationship, from the lowest place on.
  public final func insertManagedValues(_ objects: some Sequence, at places: some ManagedIndexes, _ key: StaticString) {
    var members = members(toMany(key))
    let inserted = managed(Array(objects), key: key)
    let known = Set(inserted.map(ObjectIdentifier.init))
    members.removeAll { known.contains(ObjectIdentifier($0)) }
    for (object, place) in zip(inserted, places.managedIndexes) {
      guard place <= members.count else { failPlace(place, count: members.count, key: key) }
      members.insert(object, at: place)
    }
    replaceMembers(members, index: toMany(key))
  }

  /// Takes the object at a place out of an ordered relationship.
  public final func removeManagedValue(at place: Int, _ key: StaticString) {
    let index = toMany(key)
    let state = loadedState(index)
    let count = state.members?.count ?? 0
    guard place >= 0, place < count, let object = state.members?.object(at: place) else {
      failPlace(place, count: count, key: key)
    }
    remove(object, from: index)
  }

  /// Takes the objects at places out of an ordered relationship.
  public final func removeManagedValues(at places: some ManagedIndexes, _ key: StaticString) {
    var members = members(toMany(key))
    for place in places.managedIndexes.reversed() {
      guard place < members.count else { failPlace(place, count: members.count, key: key) }
      members.remove(at: place)
    }
    replaceMembers(members, index: toMany(key))
  }

  /// Replaces the object at a position by another one.
  public final func replaceManagedValue(at place: Int, with object: NSManagedObject, _ key: StaticString) {
    if place < 0 { failPlace(place, count: members(toMany(key)).count, key: key) }
    replaceManagedValues(at: IndexSet(integer: place), with: [object], key)
  }

  /// Replaces the objects at several positions.
  public final func replaceManagedValues(
    at places: some ManagedIndexes,
    with objects: some Sequence,
    _ key: StaticString
  ) {
    var members = members(toMany(key))
    for (place, object) in zip(places.managedIndexes, managed(Array(objects), key: key)) {
      guard place < members.count else { failPlace(place, count: members.count, key: key) }
      members[place] = object
    }
    replaceMembers(members, index: toMany(key))
  }

  private final func failPlace(_ place: Int, count: Int, key: StaticString) -> Never {
    fatalError("\(layout.entity.name ?? "").\(key) has \(count) objects; there is no place \(place) in it.")
  }
}

/// A type whose values name several places of an ordered relationship: `IndexSet` or `NSIndexSet`.
public protocol ManagedIndexes {
  /// The places, from the lowest on.
  var managedIndexes: IndexSet { get }
}

extension IndexSet: ManagedIndexes {
  public var managedIndexes: IndexSet { self }
}

extension NSIndexSet: ManagedIndexes {
  public var managedIndexes: IndexSet {
    var indexes = IndexSet()
    enumerate { index, _ in indexes.insert(index) }
    return indexes
  }
}
