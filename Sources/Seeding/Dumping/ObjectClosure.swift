import CoreData

/// Objects and all objects that they depend on: those that their records refer to, those that are
/// deleted with them, those that their entities require, and the dependencies of these.
struct ObjectClosure {
  private let relationships: DumpedRelationships
  private let roots: Set<NSManagedObject>
  private let depth: Int?

  /// - Parameter depth: The number of relationships from a root from which on only what is required is followed.
  init(_ relationships: DumpedRelationships, from roots: Set<NSManagedObject>, depth: Int? = nil) {
    self.relationships = relationships
    self.roots = roots
    self.depth = depth
  }

  /// - Parameter visit: Called with each object and the relationships that are followed from it,
  ///   before any of its values is read.
  func objects(
    _ visit: (NSManagedObject, [NSRelationshipDescription]) throws -> Void = { _, _ in }
  ) throws -> Set<NSManagedObject> {
    var found = roots
    var level = Array(roots)
    var distance = 0
    while !level.isEmpty {
      var next: [NSManagedObject] = []
      for object in level {
        let followed = followed(of: object.entity, at: distance)
        try visit(object, followed)
        for relationship in followed {
          for other in relationships.destinations(of: object, relationship: relationship)
          where found.insert(other).inserted { next.append(other) }
        }
      }
      level = next
      distance += 1
    }
    return found
  }

  private func followed(of entity: NSEntityDescription, at distance: Int) -> [NSRelationshipDescription] {
    let isWithin = depth.map { distance < $0 } ?? true
    return entity.relationshipsByName.values.filter { relationship in
      isWithin
        ? relationships.isFollowed(relationship, isChosen: distance == 0)
        : relationships.isRequired(relationship)
    }
  }
}
