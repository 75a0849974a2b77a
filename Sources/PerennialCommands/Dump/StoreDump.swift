import CoreData
import Foundation
import Seeding

/// Writes what is in a store as a seed.
struct StoreDump {
  struct Seed {
    let text: String
    /// What a seed has no words for.
    let omissions: [String]
  }

  /// One object, by its entity and the values of its natural key.
  struct Root {
    let entity: NSEntityDescription
    let key: [String]
  }

  private let coordinator: NSPersistentStoreCoordinator
  private let entities: [NSEntityDescription]

  init(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    entities = coordinator.managedObjectModel.entitiesByName.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The whole store, or one object with all that it depends on.
  func seed(of root: Root? = nil) throws -> Seed {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let all = try objects(in: context)
      let relationships = DumpedRelationships(entities, DumpedKeys(entities, all))
      let dumped = try root.map { try ObjectClosure(relationships).objects(from: $0, in: all) } ?? all
      let keys = DumpedKeys(entities, dumped)
      let labels = try DumpedLabels(
        unnamed(in: dumped, relationships, keys),
        among: dumped.values.flatMap(\.self)
      )
      var writer = RecordWriter(relationships: relationships, keys: keys, labels: labels)
      var parts = try header(keys, dumped)
      for entity in entities {
        guard let name = entity.name, let all = dumped[name], !all.isEmpty else { continue }
        let records = try all.map { try writer.record(of: $0) }
          .sorted { ($0.order, $0.text) < ($1.order, $1.text) }
        parts.append(
          "  \(try RecordWriter.quoted(name)): [\n    \(records.map(\.text).joined(separator: ",\n    "))\n  ]"
        )
      }
      #if !canImport(Darwin)
        // Apple's framework has raised an exception by now: a seed must not lack what the store has.
        try context.throwReadFailure()
      #endif
      let text = parts.isEmpty ? "{}\n" : "{\n\(parts.joined(separator: ",\n"))\n}\n"
      return Seed(text: text, omissions: writer.omissions.sorted())
    }
  }

  /// What the reader of the seed has to know beforehand.
  private func header(_ keys: DumpedKeys, _ dumped: [String: [NSManagedObject]]) throws -> [String] {
    var header: [String] = []
    if SeedAnnotations.areIn(coordinator.managedObjectModel) { header.append("  \"$plain\": true") }
    if !keys.declared.isEmpty {
      let declared = keys.declared.mapValues { ResultValue.list($0.map(ResultValue.text)) }
      header.append("  \"$keys\": \(try RecordWriter.text(.fields(declared)))")
    }
    return header
  }

  /// The objects that are referred to and that no natural key names.
  private func unnamed(
    in objects: [String: [NSManagedObject]],
    _ relationships: DumpedRelationships,
    _ keys: DumpedKeys
  ) -> Set<NSManagedObject> {
    var unnamed: Set<NSManagedObject> = []
    for object in objects.values.flatMap(\.self) {
      for (relationship, destinations) in relationships.written(of: object) {
        guard let entity = relationship.destinationEntity else { continue }
        unnamed.formUnion(destinations.filter { keys.reference(to: $0, as: entity) == nil })
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
