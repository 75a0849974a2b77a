package import CoreData
import Foundation

/// Reads a store as the records of a seed.
package struct StoreDump {
  /// The objects that a dump contains in addition to the chosen ones.
  package enum References: String, CaseIterable, Sendable {
    /// All that they depend on, so that it loads into an empty store.
    case follow
    /// No further objects: the seed is for a store that already has the objects that it refers to.
    case keys
  }

  private let coordinator: NSPersistentStoreCoordinator
  private let entities: [NSEntityDescription]

  package init(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    entities = coordinator.managedObjectModel.entitiesByName.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The whole store, or the objects that were chosen.
  ///
  /// - Parameters:
  ///   - references: the objects to include in addition to the chosen ones.
  ///   - depth: the largest number of relationships that are followed from a chosen object in
  ///     sequence; `nil` for no limit. Required relationships are always followed.
  ///   - change: called with all objects once they are chosen, to change what the dump says of them; the context is not
  ///     saved.
  ///   - choose: gives the objects that were chosen, of all objects by the names of their entities; `nil` for
  ///     all. Called on the queue of the context.
  package func seed(
    references: References = .follow,
    depth: Int? = nil,
    changing change: ([String: [NSManagedObject]]) throws -> Void = { _ in },
    choosing choose: (NSManagedObjectContext, [String: [NSManagedObject]]) throws -> Set<NSManagedObject>? = {
      _,
      _ in nil
    }
  ) throws -> DumpedSeed {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait {
      // A seed must not be incomplete.
      try context.throwingReadFailures {
        let all = try objects(in: context)
        let roots = try choose(context, all)
        try change(all)
        let allKeys = DumpedKeys(entities: entities, objects: all)
        var relationships = DumpedRelationships(entities: entities, keys: allKeys)
        relationships.addLinksOfOneSide(among: all.values.flatMap(\.self))
        var dumped = all
        if let roots {
          relationships.start(at: Set(roots.map(\.entity)), references: references)
          var chosen = roots
          if references == .follow {
            chosen = try ObjectClosure(relationships, from: roots, depth: depth).objects()
            relationships.restrict(to: chosen)
          }
          dumped = all.mapValues { $0.filter(chosen.contains) }
        }
        // Objects that were loaded with other objects need keys that distinguish them from those, too.
        let keys = references == .keys ? allKeys : DumpedKeys(entities: entities, objects: dumped)
        return try seed(of: dumped, relationships: relationships, keys: keys)
      }
    }
  }

  /// The objects that a request finds, with all objects that they reach, up to a limit of memory. No
  /// other objects are read. Called on the queue of the context.
  ///
  /// An object gets its natural key if the key distinguishes it from the other objects of the seed.
  ///
  /// - Parameter reach: The objects to include in addition to those that the request finds.
  /// - Throws: `SeedSizeLimit.Exceeded` if the objects exceed the limit.
  package func seed(
    of request: NSFetchRequest<NSManagedObject>,
    in context: NSManagedObjectContext,
    within room: SeedSizeLimit,
    reach: DumpReach = .needed
  ) throws -> DumpedSeed {
    var account = SeedSizeCounter(room)
    var (objects, relationships) = try objects(
      of: request,
      in: context,
      reach: reach,
      room: room,
      account: &account
    )
    if reach != .needed { relationships.start(at: Set(objects.map(\.entity)), references: .keys) }
    for object in objects {
      // All that a relationship leads to is read where an order is written, or keys of objects that the seed lacks.
      try account.checkRelationships(of: object) { relationships.isWritten($0) && ($0.isOrdered || reach != .needed) }
    }
    relationships.addLinksOfOneSide(among: objects)
    var named = objects
    if reach == .needed {
      relationships.restrict(to: objects)
    } else {
      for object in objects { named.formUnion(relationships.written(of: object).flatMap(\.objects)) }
    }
    func byEntity(_ objects: Set<NSManagedObject>) -> [String: [NSManagedObject]] {
      Dictionary(grouping: objects) { $0.entity.name ?? "" }
    }
    return try seed(
      of: byEntity(objects),
      relationships: relationships,
      keys: DumpedKeys(entities: entities, objects: byEntity(named))
    ) {
      try account.checkRelationships(of: $0)
    }
  }

  /// The number of objects of a seed. Called on the queue of the context.
  ///
  /// - Throws: `SeedSizeLimit.Exceeded` when there are more than fit.
  package func count(
    of request: NSFetchRequest<NSManagedObject>,
    in context: NSManagedObjectContext,
    within room: SeedSizeLimit,
    reach: DumpReach
  ) throws -> Int {
    var account = SeedSizeCounter(room)
    return try objects(of: request, in: context, reach: reach, room: room, account: &account).objects.count
  }

  private func objects(
    of request: NSFetchRequest<NSManagedObject>,
    in context: NSManagedObjectContext,
    reach: DumpReach,
    room: SeedSizeLimit,
    account: inout SeedSizeCounter
  ) throws -> (objects: Set<NSManagedObject>, relationships: DumpedRelationships) {
    var relationships = DumpedRelationships(entities: entities, keys: DumpedKeys(entities: entities, objects: [:]))
    request.fetchLimit = room.mostObjects + 1
    // The memory is estimated before any values are loaded.
    request.includesPropertyValues = false
    let roots = Set(try context.fetch(request))
    switch reach {
    case .keys:
      for object in roots { try account.add(object, following: []) }
      return (roots, relationships)
    case .owned:
      let owned = CascadeClosure(roots: roots, relationships: relationships)
      return (try owned.objects { try account.add($0, following: $1) }, relationships)
    case .needed:
      relationships.start(at: Set(roots.map(\.entity)), references: .follow)
      let closure = ObjectClosure(relationships, from: roots)
      return (try closure.objects { try account.add($0, following: $1) }, relationships)
    }
  }

  private func seed(
    of dumped: [String: [NSManagedObject]],
    relationships: DumpedRelationships,
    keys: DumpedKeys,
    check: (NSManagedObject) throws -> Void = { _ in }
  ) throws -> DumpedSeed {
    let objects = dumped.values.flatMap(\.self)
    let labels = try DumpedLabels(
      unnamed(in: objects, relationships: relationships, keys: keys),
      among: objects,
      check: check
    )
    var writer = RecordWriter(relationships: relationships, keys: keys, labels: labels)
    var seed = DumpedSeed(isPlain: SeedAnnotations.areIn(coordinator.managedObjectModel), keys: keys.declared)
    for entity in entities {
      seed.kinds[entity.name ?? ""] = Self.kinds(of: entity)
      guard let name = entity.name, let own = dumped[name], !own.isEmpty else { continue }
      let records = try own.map { object in
        let record = writer.record(of: object)
        return (record, text: try SeedJSON.text(.fields(record.fields)))
      }
      .sorted { ($0.0.order, $0.text) < ($1.0.order, $1.text) }
      seed.entities.append((name, records.map(\.0)))
    }
    seed.omissions = writer.omissions.sorted()
    return seed
  }

  private static func kinds(of entity: NSEntityDescription) -> [String: DumpedSeed.FieldKind] {
    entity.propertiesByName.compactMapValues { property in
      switch property {
      case is NSRelationshipDescription: .relationship
      case let attribute as NSAttributeDescription where attribute.isTransformable: .transformable
      default: nil
      }
    }
  }

  /// The objects that other objects refer to and that do not have a natural key.
  private func unnamed(
    in objects: [NSManagedObject],
    relationships: DumpedRelationships,
    keys: DumpedKeys
  ) -> Set<NSManagedObject> {
    let all = Set(objects)
    var unnamed: Set<NSManagedObject> = []
    for object in objects {
      for (relationship, destinations) in relationships.written(of: object) {
        guard let entity = relationship.destinationEntity else { continue }
        unnamed.formUnion(
          destinations.filter { all.contains($0) && keys.reference(to: $0, as: entity) == nil }
        )
      }
    }
    return unnamed
  }

  /// Each entity's own objects, without those of its subentities, and the destinations of their
  /// to-many relationships: one statement for each entity, and one for each of its to-many
  /// relationships. The destinations of to-one relationships are fetched in any case.
  private func objects(in context: NSManagedObjectContext) throws -> [String: [NSManagedObject]] {
    var objects: [String: [NSManagedObject]] = [:]
    for entity in entities where !entity.isAbstract {
      let request = NSFetchRequest.exactly(entity)
      request.returnsObjectsAsFaults = false
      request.relationshipKeyPathsForPrefetching = entity.relationshipsByName.values
        .filter { $0.isToMany && !$0.isTransient }.map(\.name).sorted()
      objects[entity.name ?? ""] = try context.fetch(request)
    }
    return objects
  }
}

extension NSAttributeDescription {
  /// True when the attribute, or an element of it, is transformable: the reader of a table takes
  /// all its values for texts.
  fileprivate var isTransformable: Bool {
    if let composite = self as? NSCompositeAttributeDescription {
      return composite.elements.contains(where: \.isTransformable)
    }
    return attributeType == .transformableAttributeType
  }
}
