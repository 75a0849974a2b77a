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
    let present = object.value(forKey: name)
    if !relationship.isToMany {
      let destination = destinations.first
      guard (present as? NSManagedObject) !== destination else { return false }
      object.setValue(destination, forKey: name)
    } else if relationship.isOrdered {
      let ordered = NSOrderedSet(array: destinations)
      guard !ordered.isEqual(present) else { return false }
      object.setValue(ordered, forKey: name)
    } else {
      let set = Set(destinations)
      guard present as? Set<NSManagedObject> != set else { return false }
      object.setValue(set, forKey: name)
    }
    return true
  }
}
