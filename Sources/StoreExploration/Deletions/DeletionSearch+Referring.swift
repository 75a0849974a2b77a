import CoreData
import Foundation

extension DeletionSearch {
  /// The greatest number of objects that the result names for each relationship.
  private static let mostNamedReferring = 20

  /// Finds the objects that would stay and refer to a deleted object by a relationship without an inverse.
  ///
  /// - Returns: the objects by relationship, and the limit that ended the search.
  func referring(namer: inout ObjectNames) throws -> ([DeletionPreview.Referring], DeletionPreview.Limit?) {
    var found: [DeletionPreview.Referring] = []
    var room = max(1, mostObjects - order.count)
    for relationship in leadingWithoutInverse() {
      let (ids, limit) = try referring(by: relationship, most: room)
      room -= ids.count
      if !ids.isEmpty {
        let told = ids.sorted { $0.key < $1.key }.prefix(Self.mostNamedReferring)
        let names = try namer.names(of: told, in: context)
        found.append(
          DeletionPreview.Referring(
            relationship: Self.name(relationship),
            count: ids.count,
            objects: told.map { NamedObject(id: $0, name: names[$0] ?? ObjectNames.fallback($0)) },
            isDangling: !relationship.isToMany
          )
        )
      }
      if let limit { return (found, limit) }
    }
    return (found, nil)
  }

  /// The relationships without an inverse that can lead to a deleted object, each from the entity that declares it.
  private func leadingWithoutInverse() -> [NSRelationshipDescription] {
    let deleted = Set(order.map(\.entity))
    let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
    return entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap { entity in
      entity.relationshipsByName.values.sorted { $0.name < $1.name }.filter { relationship in
        guard relationship.inverseRelationship == nil, !relationship.isTransient,
          entity.superentity?.relationshipsByName[relationship.name] == nil,
          let destination = relationship.destinationEntity
        else { return false }
        return deleted.contains { $0.isKindOf(entity: destination) }
      }
    }
  }

  private func referring(by relationship: NSRelationshipDescription, most: Int) throws
    -> (Set<NSManagedObjectID>, DeletionPreview.Limit?)
  {
    guard let entity = relationship.entity.name, let destination = relationship.destinationEntity else {
      return ([], nil)
    }
    let deleted = order.filter { $0.entity.isKindOf(entity: destination) }
    var found: Set<NSManagedObjectID> = []
    for start in stride(from: 0, to: deleted.count, by: DestinationQuery.chunk) {
      guard ContinuousClock.now < deadline else { return (found, .time) }
      let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
      request.resultType = .managedObjectIDResultType
      request.predicate = NSPredicate(
        format: relationship.isToMany ? "ANY %K IN %@" : "%K IN %@",
        relationship.name,
        Array(deleted[start...].prefix(DestinationQuery.chunk))
      )
      // Some of the objects found may be deleted too.
      request.fetchLimit = most + order.count
      for id in try context.fetch(request) where causes[id] == nil {
        if found.count >= most { return (found, .objects) }
        found.insert(id)
      }
    }
    return (found, nil)
  }
}
