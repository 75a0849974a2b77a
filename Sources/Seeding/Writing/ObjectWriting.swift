import CoreData
import Foundation

/// Writes a record's values to its object.
enum ObjectWriting {
  static func create(_ record: PlannedRecord, in context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: record.shape.name, into: context)
    for (attribute, value) in record.values {
      object.setValue(value.merged(into: object.value(forKey: attribute.name)), forKey: attribute.name)
    }
    return object
  }

  /// The objects of a relationship, in its order if it is ordered.
  static func members(_ relationship: NSRelationshipDescription, of object: NSManagedObject)
    -> [NSManagedObject]
  {
    switch object.value(forKey: relationship.name) {
    case let one as NSManagedObject: [one]
    case let ordered as NSOrderedSet: ordered.array.compactMap { $0 as? NSManagedObject }
    case let set as NSSet: set.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }

  /// The same in an order that does not depend on the run: an unordered relationship has the order
  /// in which the objects were created.
  static func inOrder(_ relationship: NSRelationshipDescription, of object: NSManagedObject)
    -> [NSManagedObject]
  {
    let members = members(relationship, of: object)
    guard relationship.isToMany, !relationship.isOrdered else { return members }
    return members.map { ($0, $0.objectID.uriRepresentation().absoluteString) }
      .sorted { ($0.1.utf8.count, $0.1) < ($1.1.utf8.count, $1.1) }.map(\.0)
  }

  /// The members after adding some at the end and removing others.
  static func changing(
    _ members: [NSManagedObject],
    adding additions: [NSManagedObject],
    removing removals: [NSManagedObject]
  ) -> [NSManagedObject] {
    let removed = Set(removals.map(ObjectIdentifier.init))
    var known = removed
    return (members + additions).filter { known.insert(ObjectIdentifier($0)).inserted }
  }

  /// The members that a relationship would lose by getting other destinations.
  static func removed(
    from relationship: NSRelationshipDescription,
    of object: NSManagedObject,
    by destinations: [NSManagedObject]
  ) -> [NSManagedObject] {
    let remaining = Set(destinations.map(ObjectIdentifier.init))
    return members(relationship, of: object).filter { !remaining.contains(ObjectIdentifier($0)) }
  }

  /// Returns true if a relationship already has these objects.
  static func isSame(
    _ destinations: [NSManagedObject],
    for relationship: NSRelationshipDescription,
    of object: NSManagedObject
  ) -> Bool {
    guard relationship.isToMany else {
      return (object.value(forKey: relationship.name) as? NSManagedObject) === destinations.first
    }
    if relationship.isOrdered {
      return NSOrderedSet(array: destinations).isEqual(object.value(forKey: relationship.name))
    }
    // The objects have their identifiers, but a set of them would have to be made.
    let present = object.objectIDs(forRelationshipNamed: relationship.name)
    // A new object has no members, and then the set is not needed either.
    guard !present.isEmpty else { return destinations.isEmpty }
    guard present.count <= destinations.count else { return false }
    let wanted = Set(destinations.lazy.map(\.objectID))
    return present.count == wanted.count && present.allSatisfy(wanted.contains)
  }

  /// Sets a relationship whose value differs.
  static func put(
    _ destinations: [NSManagedObject],
    for relationship: NSRelationshipDescription,
    of object: NSManagedObject
  ) {
    if !relationship.isToMany {
      object.setValue(destinations.first, forKey: relationship.name)
    } else if relationship.isOrdered {
      object.setValue(NSOrderedSet(array: destinations), forKey: relationship.name)
    } else {
      object.setValue(Set(destinations), forKey: relationship.name)
    }
  }

  /// Sets a relationship of a new object, without comparing it.
  static func setNew(
    _ destinations: [NSManagedObject],
    for relationship: NSRelationshipDescription,
    of object: NSManagedObject
  ) {
    guard !destinations.isEmpty else {
      // Records of the other side may already have added objects.
      if !isSame([], for: relationship, of: object) { put([], for: relationship, of: object) }
      return
    }
    #if canImport(Darwin)
      put(destinations, for: relationship, of: object)
    #else
      if relationship.isToMany, !relationship.isOrdered {
        // Without creating a set that would only be taken apart again.
        object.setValue(destinations, forKey: relationship.name)
      } else {
        put(destinations, for: relationship, of: object)
      }
    #endif
  }
}
