package import CoreData

extension NSRelationshipDescription {
  /// The objects that the relationship of an object leads to, in order where it is ordered.
  package func destinations(of object: NSManagedObject) -> [NSManagedObject] {
    RelatedObjects.of(object.value(forKey: name))
  }
}
