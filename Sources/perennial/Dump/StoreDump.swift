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

  private let coordinator: NSPersistentStoreCoordinator
  private let entities: [NSEntityDescription]

  init(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    entities = coordinator.managedObjectModel.entitiesByName.sorted { $0.key < $1.key }.map(\.value)
  }

  func seed() throws -> Seed {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let objects = try objects(in: context)
      let keys = DumpedKeys(objects)
      var writer = RecordWriter(relationships: DumpedRelationships(entities, keys), keys: keys)
      var lists: [String] = []
      for entity in entities {
        guard let name = entity.name, let all = objects[name], !all.isEmpty else { continue }
        let records = try all.map { try writer.record(of: $0) }
          .sorted { ($0.order, $0.text) < ($1.order, $1.text) }
        lists.append(
          "  \(try RecordWriter.quoted(name)): [\n    \(records.map(\.text).joined(separator: ",\n    "))\n  ]"
        )
      }
      let text = lists.isEmpty ? "{}\n" : "{\n\(lists.joined(separator: ",\n"))\n}\n"
      return Seed(text: text, omissions: keys.ambiguities + writer.omissions.sorted())
    }
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
