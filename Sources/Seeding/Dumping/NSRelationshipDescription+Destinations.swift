package import CoreData

extension NSRelationshipDescription {
  /// The objects that the relationship of an object leads to, in order where it is ordered.
  package func destinations(of object: NSManagedObject) -> [NSManagedObject] {
    switch object.value(forKey: name) {
    case let one as NSManagedObject: [one]
    case let ordered as NSOrderedSet: ordered.array as? [NSManagedObject] ?? []
    case let set as Set<NSManagedObject>: Array(set)
    default: []
    }
  }
}
