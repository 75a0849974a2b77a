package import CoreData
import Foundation

/// Finds objects without references to them.
///
/// A reference is a relationship to the object's entity, to one of its ancestors, or to one of its descendants. If the
/// relationship has an inverse, the inverse is queried. Otherwise the objects that have the relationship are queried.
package struct Orphans: Sendable {
  /// The relationships that lead to an entity, as `Note.category`.
  package let relationships: [String]
  /// The text of the predicate that finds objects to which no relationship with an inverse leads. Empty if
  /// there is no such relationship.
  package let predicate: String
  /// True if the predicate suffices, because every relationship to the entity has an inverse.
  package var isWholePredicate: Bool { oneWay.isEmpty }

  private let entity: NSEntityDescription
  private let reading: StoreReading
  private let oneWay: [NSRelationshipDescription]

  /// - Throws: an `ExplorationFailure` if the model does not have the entity.
  package init(entity: String, in coordinator: NSPersistentStoreCoordinator) throws {
    reading = StoreReading(coordinator: coordinator)
    let described = try reading.entity(entity)
    self.entity = described
    let leading = coordinator.managedObjectModel.entities.flatMap { other in
      other.relationshipsByName.values.filter { relationship in
        guard !relationship.isTransient, relationship.entity === other,
          let destination = relationship.destinationEntity
        else { return false }
        return destination.isKindOf(entity: described) || described.isKindOf(entity: destination)
      }
    }
    .sorted { ($0.entity.name ?? "", $0.name) < ($1.entity.name ?? "", $1.name) }
    relationships = leading.map { "\($0.entity.name ?? "").\($0.name)" }
    // The predicate may only use properties that all objects of the entity have.
    func inverse(_ relationship: NSRelationshipDescription) -> NSRelationshipDescription? {
      guard let inverse = relationship.inverseRelationship, !inverse.isTransient,
        described.propertiesByName[inverse.name] != nil
      else { return nil }
      return inverse
    }
    oneWay = leading.filter { inverse($0) == nil }
    predicate = Self.predicate(leading.compactMap(inverse)).map(\.printedFormat).joined(separator: " AND ")
  }

  private static func predicate(_ inverses: [NSRelationshipDescription]) -> [NSPredicate] {
    inverses.sorted { $0.name < $1.name }.map { inverse in
      inverse.isToMany
        ? NSPredicate(format: "%K == 0", "\(inverse.name).@count")
        : NSPredicate(format: "%K == NULL", inverse.name)
    }
  }

  /// The first objects without references, in no particular order, and whether there are more.
  ///
  /// - Parameters:
  ///   - limit: the largest number of objects.
  ///   - time: the time that the store may take.
  /// - Throws: an `ExplorationFailure` if the time was too short.
  package func objects(limit: Int = 200, within time: Duration = .seconds(10)) async throws
    -> (objects: [NamedObject], hasMore: Bool)
  {
    let limit = min(max(limit, 1), 10_000)
    return try await reading.read(within: time, isPinned: true) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.predicate = try ExplorationPredicate.read(predicate, entity: entity.name ?? "", in: reading.coordinator)
      var found: [NamedObject] = []
      var namer = ObjectNames()
      do {
        try context.forEachBatch(of: request, size: DestinationQuery.chunk) { batch in
          try Task.checkCancellation()
          let referred = try referred(batch.map(\.objectID), in: context)
          let names = batch.filter { !referred.contains($0.objectID) }.map { object in
            NamedObject(id: object.objectID, name: namer.name(of: object))
          }
          found += names
          if found.count > limit { throw IsEnough() }
        }
      } catch is IsEnough {}
      return (Array(found.prefix(limit)), found.count > limit)
    }
  }

  /// Ends the search when enough objects are found.
  private struct IsEnough: Error {}

  /// The objects among these to which a relationship without an inverse leads.
  private func referred(_ ids: [NSManagedObjectID], in context: NSManagedObjectContext) throws
    -> Set<NSManagedObjectID>
  {
    var referred: Set<NSManagedObjectID> = []
    for relationship in oneWay {
      let request = NSFetchRequest<NSManagedObject>(entityName: relationship.entity.name ?? "")
      let quantifier = relationship.isToMany ? "ANY " : ""
      request.predicate = NSPredicate(format: "\(quantifier)%K IN %@", relationship.name, ids)
      if relationship.isToMany { request.relationshipKeyPathsForPrefetching = [relationship.name] }
      try context.forEachBatch(of: request, size: 1_000) { sources in
        for source in sources {
          if relationship.isToMany {
            referred.formUnion(source.objectIDs(forRelationshipNamed: relationship.name))
          } else if let one = source.value(forKey: relationship.name) as? NSManagedObject {
            referred.insert(one.objectID)
          }
        }
      }
    }
    return referred.intersection(ids)
  }
}
