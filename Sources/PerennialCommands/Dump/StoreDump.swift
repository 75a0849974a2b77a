import CoreData
import Foundation
import Seeding

/// Reads a store as the records of a seed.
struct StoreDump {
  private let coordinator: NSPersistentStoreCoordinator
  private let entities: [NSEntityDescription]

  init(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    entities = coordinator.managedObjectModel.entitiesByName.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The whole store, or the objects that were chosen.
  func seed(of selection: DumpSelection = DumpSelection()) throws -> DumpedSeed {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait {
      let all = try objects(in: context)
      let allKeys = DumpedKeys(entities, all)
      let relationships = DumpedRelationships(entities, allKeys)
      var dumped = all
      if let roots = try DumpRoots(context: context, all: all).objects(of: selection.roots) {
        let isClosed = selection.references == .follow
        let chosen = isClosed ? ObjectClosure(relationships).objects(from: roots) : roots
        dumped = all.mapValues { $0.filter(chosen.contains) }
      }
      // What is loaded beside other objects is to be told apart from them, too.
      let keys = selection.references == .keys ? allKeys : DumpedKeys(entities, dumped)
      let seed = try seed(of: dumped, relationships, keys)
      #if !canImport(Darwin)
        // Apple's framework has raised an exception by now: a seed must not lack what the store
        // has.
        try context.throwReadFailure()
      #endif
      return seed
    }
  }

  private func seed(
    of dumped: [String: [NSManagedObject]],
    _ relationships: DumpedRelationships,
    _ keys: DumpedKeys
  ) throws -> DumpedSeed {
    let objects = dumped.values.flatMap(\.self)
    let labels = try DumpedLabels(unnamed(in: objects, relationships, keys), among: objects)
    var writer = RecordWriter(relationships: relationships, keys: keys, labels: labels)
    var seed = DumpedSeed(
      isPlain: SeedAnnotations.areIn(coordinator.managedObjectModel),
      keys: keys.declared
    )
    for entity in entities {
      seed.kinds[entity.name ?? ""] = Self.kinds(of: entity)
      guard let name = entity.name, let own = dumped[name], !own.isEmpty else { continue }
      let records = try own.map { object in
        let record = writer.record(of: object)
        return (record, text: try JSONSeedText.text(.fields(record.fields)))
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

  /// The objects that are referred to and that no natural key names.
  private func unnamed(
    in objects: [NSManagedObject],
    _ relationships: DumpedRelationships,
    _ keys: DumpedKeys
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

  /// Each entity's own objects, without those of its subentities.
  private func objects(in context: NSManagedObjectContext) throws -> [String: [NSManagedObject]] {
    var objects: [String: [NSManagedObject]] = [:]
    for entity in entities where !entity.isAbstract {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      request.returnsObjectsAsFaults = false
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

/// Objects and all that they depend on: what their records refer to, what is deleted along with
/// them, what their entities do not allow to be missing, and what those depend on.
struct ObjectClosure {
  private let relationships: DumpedRelationships

  init(_ relationships: DumpedRelationships) {
    self.relationships = relationships
  }

  func objects(from roots: some Sequence<NSManagedObject>) -> Set<NSManagedObject> {
    var found = Set(roots)
    var waiting = Array(found)
    while let object = waiting.popLast() {
      for other in dependencies(of: object) where found.insert(other).inserted { waiting.append(other) }
    }
    return found
  }

  private func dependencies(of object: NSManagedObject) -> [NSManagedObject] {
    let needed = object.entity.relationshipsByName.values.filter {
      !$0.isTransient && ($0.deleteRule == .cascadeDeleteRule || !$0.isOptional)
    }
    return relationships.written(of: object).flatMap(\.objects)
      + needed.flatMap { DumpedRelationships.destinations(of: $0, object) }
  }
}
