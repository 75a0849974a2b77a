import CoreData

/// An entity, as the list of entities shows it.
package struct CatalogueEntity: Sendable, Hashable {
  package let name: String
  package let parent: String?
  package let isAbstract: Bool
  /// The number of the entity's ancestors.
  package let depth: Int
  package let attributes: [String]
  package let relationships: [String]
  package let hasSubentities: Bool
}

/// The entities of a store's model, and the number of objects of each entity.
package struct StoreCatalogue: Sendable {
  /// The entities. Each one follows its parent.
  package let entities: [CatalogueEntity]
  private let explored: ExploredStore

  package init(_ explored: ExploredStore) {
    self.explored = explored
    let all = explored.model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    var entities: [CatalogueEntity] = []
    func add(_ entity: NSEntityDescription, depth: Int) {
      entities.append(
        CatalogueEntity(
          name: entity.name ?? "",
          parent: entity.superentity?.name,
          isAbstract: entity.isAbstract,
          depth: depth,
          attributes: entity.attributesByName.keys.sorted(),
          relationships: entity.relationshipsByName.keys.sorted(),
          hasSubentities: !entity.subentities.isEmpty
        )
      )
      for child in all where child.superentity === entity { add(child, depth: depth + 1) }
    }
    for entity in all where entity.superentity == nil { add(entity, depth: 0) }
    self.entities = entities
  }

  /// The number of objects of an entity and its subentities.
  ///
  /// - Parameter limit: the time that counting may take.
  /// - Throws: `tookTooLong` if counting takes longer.
  package func count(_ entity: String, within limit: Duration) async throws -> Int {
    _ = try explored.entity(entity)
    return try await explored.read(within: limit) { context in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
  }

  /// The numbers of objects, by the name of the entity. An entity that cannot be counted within the limit has
  /// no number.
  package func counts(within limit: Duration) async -> [String: Int] {
    let deadline = ContinuousClock.now + limit
    var counts: [String: Int] = [:]
    for entity in entities {
      let rest = deadline - ContinuousClock.now
      if rest <= .zero { break }
      counts[entity.name] = try? await count(entity.name, within: rest)
    }
    return counts
  }
}
