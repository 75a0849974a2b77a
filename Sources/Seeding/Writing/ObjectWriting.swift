import CoreData
import Foundation

/// Brings one object to what its record says, and says whether it differed.
enum ObjectWriting {
  static func set(
    _ values: [(attribute: NSAttributeDescription, value: AttributeValue)],
    of object: NSManagedObject
  )
    -> Bool
  {
    var differs = false
    for (attribute, value) in values where !value.isEqual(to: object.value(forKey: attribute.name)) {
      object.setValue(value.object, forKey: attribute.name)
      differs = true
    }
    return differs
  }

  static func create(_ record: PlannedRecord, in context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: record.shape.name, into: context)
    for (attribute, value) in record.values { object.setValue(value.object, forKey: attribute.name) }
    return object
  }

  static func set(
    _ destinations: [NSManagedObject],
    for relationship: NSRelationshipDescription,
    of object: NSManagedObject
  ) -> Bool {
    let name = relationship.name
    if !relationship.isToMany {
      let destination = destinations.first
      guard (object.value(forKey: name) as? NSManagedObject) !== destination else { return false }
      object.setValue(destination, forKey: name)
    } else if relationship.isOrdered {
      let ordered = NSOrderedSet(array: destinations)
      guard !ordered.isEqual(object.value(forKey: name)) else { return false }
      object.setValue(ordered, forKey: name)
    } else {
      let set = Set(destinations)
      guard !isEqual(object.value(forKey: name), set) else { return false }
      object.setValue(set, forKey: name)
    }
    return true
  }

  /// Without bridging the one into the other, which takes longer than comparing them.
  private static func isEqual(_ present: Any?, _ set: Set<NSManagedObject>) -> Bool {
    guard let present = present as? NSSet else { return set.isEmpty }
    return present.count == set.count && set.allSatisfy(present.contains)
  }

  /// Sets a relationship of an object that was just made, and has nothing to be compared with.
  static func setNew(
    _ destinations: [NSManagedObject],
    for relationship: NSRelationshipDescription,
    of object: NSManagedObject
  ) {
    guard let first = destinations.first else {
      // Records of the other side may have put something into it.
      _ = set([], for: relationship, of: object)
      return
    }
    if !relationship.isToMany {
      object.setValue(first, forKey: relationship.name)
    } else if relationship.isOrdered {
      object.setValue(NSOrderedSet(array: destinations), forKey: relationship.name)
    } else {
      #if canImport(Darwin)
        object.setValue(Set(destinations), forKey: relationship.name)
      #else
        // Without making a set that is taken apart again.
        object.setValue(destinations, forKey: relationship.name)
      #endif
    }
  }
}
