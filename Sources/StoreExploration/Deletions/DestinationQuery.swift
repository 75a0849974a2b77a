import CoreData
import Foundation

/// Finds the destinations of a relationship of many objects with one query.
struct DestinationQuery {
  /// The greatest number of objects in one query.
  static let chunk = 500

  let context: NSManagedObjectContext
  let relationship: NSRelationshipDescription

  /// The distinct destinations of some objects.
  ///
  /// - Parameters:
  ///   - sources: at most ``chunk`` objects that have the relationship.
  ///   - limit: the largest number of destinations in the result. There may be more in the store.
  func destinations(of sources: [NSManagedObjectID], limit: Int) throws -> [NSManagedObjectID] {
    guard let destination = relationship.destinationEntity?.name else { return [] }
    if let inverse = relationship.inverseRelationship, !inverse.isTransient {
      let quantifier = inverse.isToMany ? "ANY " : ""
      return try ids(
        destination,
        format: "\(quantifier)%K IN %@",
        key: inverse.name,
        objects: sources,
        limit: limit
      )
    }
    return relationship.isToMany
      ? try prefetched(sources, limit: limit) : try values(sources, limit: limit)
  }

  /// The objects among these that have a destination.
  func sources(among objects: [NSManagedObjectID]) throws -> [NSManagedObjectID] {
    guard let entity = relationship.entity.name else { return [] }
    let condition = relationship.isToMany ? "%K.@count > 0" : "%K != NULL"
    return try ids(
      entity,
      format: "\(condition) AND SELF IN %@",
      key: relationship.name,
      objects: objects,
      limit: 0
    )
  }

  private func ids(
    _ entity: String,
    format: String,
    key: String,
    objects: [NSManagedObjectID],
    limit: Int
  ) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
    request.resultType = .managedObjectIDResultType
    request.predicate = NSPredicate(format: format, key, objects)
    request.fetchLimit = limit
    return try context.fetch(request)
  }

  /// Reads a to-one relationship without an inverse, which is a column of the objects.
  private func values(_ sources: [NSManagedObjectID], limit: Int) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObject>(entityName: relationship.entity.name ?? "")
    request.predicate = NSPredicate(format: "SELF IN %@ AND %K != NULL", sources, relationship.name)
    request.fetchLimit = limit
    let found = try context.fetch(request).compactMap { source in
      (source.value(forKey: relationship.name) as? NSManagedObject)?.objectID
    }
    return Array(Set(found))
  }

  private func prefetched(_ sources: [NSManagedObjectID], limit: Int) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObject>(entityName: relationship.entity.name ?? "")
    request.predicate = NSPredicate(format: "SELF IN %@", sources)
    request.relationshipKeyPathsForPrefetching = [relationship.name]
    var found: Set<NSManagedObjectID> = []
    for source in try context.fetch(request) {
      found.formUnion(source.objectIDs(forRelationshipNamed: relationship.name))
      if limit > 0, found.count >= limit { break }
    }
    return Array(found)
  }
}
