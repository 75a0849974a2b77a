import CoreData

/// The relationships that connect the chosen objects with all objects that they depend on.
///
/// To-one relationships are followed from each object. Many-to-many relationships are followed from
/// the chosen objects outwards: from the side whose entity is fewer relationships away. Otherwise
/// one category of a recipe would include all recipes of the category.
struct DumpScope {
  /// The fewest relationships from the chosen objects' entities to an entity, by its name.
  private let distances: [String: Int]

  /// - Parameter isWritten: True for a relationship that records write.
  init(from entities: Set<NSEntityDescription>, isWritten: (NSRelationshipDescription) -> Bool) {
    var distances: [String: Int] = [:]
    var level = Array(entities)
    var distance = 0
    while !level.isEmpty {
      var next: [NSEntityDescription] = []
      for entity in level where distances[entity.name ?? ""] == nil {
        distances[entity.name ?? ""] = distance
        for relationship in entity.relationshipsByName.values
        where Self.mayBeFollowed(relationship, isWritten: isWritten(relationship)) {
          next += relationship.destinationEntity?.family ?? []
        }
      }
      level = next
      distance += 1
    }
    self.distances = distances
  }

  /// True when the destinations are deleted with an object, or may not be missing.
  static func isNeeded(_ relationship: NSRelationshipDescription) -> Bool {
    !relationship.isTransient && (relationship.deleteRule == .cascadeDeleteRule || !relationship.isOptional)
  }

  /// - Parameters:
  ///   - isWritten: True when records write the relationship.
  ///   - isChosen: True for the chosen objects, false for those that they depend on.
  func follows(_ relationship: NSRelationshipDescription, isWritten: Bool, isChosen: Bool) -> Bool {
    guard !relationship.isTransient else { return false }
    guard relationship.isToMany, !Self.isNeeded(relationship),
      let inverse = relationship.inverseRelationship
    else { return true }
    let (own, other) = (distance(of: relationship), distance(of: inverse))
    if inverse.isToMany { return isChosen || own < other || own == other && isWritten }
    return isWritten && own <= other
  }

  private static func mayBeFollowed(_ relationship: NSRelationshipDescription, isWritten: Bool) -> Bool {
    guard !relationship.isTransient else { return false }
    return isWritten || isNeeded(relationship) || !relationship.isToMany
      || relationship.inverseRelationship?.isToMany != false
  }

  private func distance(of relationship: NSRelationshipDescription) -> Int {
    DumpedRelationships.declaringEntity(of: relationship).family
      .compactMap { distances[$0.name ?? ""] }.min() ?? .max
  }
}
