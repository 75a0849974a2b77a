import CoreData

/// The number of objects of each entity, and their numbering.
///
/// The objects of an entity and of those under it are numbered together, because keys and
/// constraints hold for all of them, and because relationships lead to all of them.
struct Population {
  /// The concrete entities that have objects, by name.
  private let counts: [String: UInt64]
  private let entities: [String: NSEntityDescription]

  init(model: NSManagedObjectModel, counts: [String: UInt64]) {
    self.counts = counts.filter { $0.value > 0 }
    entities = model.entitiesByName
  }

  /// The entities that have objects, by name.
  var names: [String] { counts.keys.sorted() }

  func count(of entity: String) -> UInt64 { counts[entity] ?? 0 }

  /// The entity and its subentities that have objects, by name.
  func members(of entity: NSEntityDescription) -> [String] {
    counts.keys.filter { name in
      sequence(first: entities[name], next: { $0?.superentity }).contains { $0?.name == entity.name }
    }.sorted()
  }

  func total(of entity: NSEntityDescription) -> UInt64 {
    members(of: entity).reduce(0) { $0 + count(of: $1) }
  }

  /// The number of an entity's first object among those of an entity above it.
  func first(of name: String, in entity: NSEntityDescription) -> UInt64 {
    members(of: entity).prefix { $0 != name }.reduce(0) { $0 + count(of: $1) }
  }
}

extension NSEntityDescription {
  /// The entity at the top of those that this one inherits from.
  var root: NSEntityDescription { superentity?.root ?? self }
}

extension NSRelationshipDescription {
  /// The entity that declares the relationship, which may be above the one that was asked for it.
  var declaringEntity: NSEntityDescription {
    var entity = self.entity
    while let above = entity.superentity, above.relationshipsByName[name] != nil { entity = above }
    return entity
  }

  /// `Entity.relationship`, of the entity that declares it.
  var place: String { "\(declaringEntity.name ?? "").\(name)" }

  /// The fewest objects that an object has to be linked to.
  var leastCount: Int { isToMany ? max(minCount, isOptional ? 0 : 1) : isOptional ? 0 : 1 }

  /// The most objects that an object may be linked to; nil without a bound.
  var greatestCount: Int? { isToMany ? (maxCount > 0 ? maxCount : nil) : 1 }

  /// True when the relationship is its own inverse, as friendship is.
  var isItsOwnInverse: Bool { inverseRelationship?.place == place }
}
