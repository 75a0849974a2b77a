import CoreData

/// Objects and all that is deleted along with them.
struct CascadeClosure {
  let roots: Set<NSManagedObject>
  let relationships: DumpedRelationships

  /// - Parameter visit: called with each object and the relationships that are followed from it, before
  ///   their destinations are read.
  func objects(_ visit: (NSManagedObject, [NSRelationshipDescription]) throws -> Void) throws -> Set<NSManagedObject> {
    var found = roots
    var waiting = Array(roots)
    while let object = waiting.popLast() {
      let followed = object.entity.relationshipsByName.values.filter {
        !$0.isTransient && $0.deleteRule == .cascadeDeleteRule
      }
      try visit(object, followed)
      for relationship in followed {
        for other in relationships.destinations(of: object, relationship: relationship)
        where found.insert(other).inserted { waiting.append(other) }
      }
    }
    return found
  }
}
