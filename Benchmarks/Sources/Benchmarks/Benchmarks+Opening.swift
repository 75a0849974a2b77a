import CoreData
import Foundation

extension Benchmarks {
  /// A store of many entities is opened, and closed.
  static func opening(_ files: SampleFiles) throws -> Workload {
    let model = manyEntities
    let url = files.emptyFile()
    let made = NSPersistentStoreCoordinator(managedObjectModel: model)
    try made.remove(made.addPersistentStore(type: .sqlite, at: url))
    var workload = Workload(
      name: "open a store of \(model.entities.count) entities; raw reads the schema and the metadata",
      raw: try Stopwatch.best { try RawSQLite(url.path).readSchemaAndMetadata() }
    )
    let opened = try Stopwatch.best {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: url))
    }
    workload.entries.append(("addPersistentStore", opened, 5))
    return workload
  }

  private static let manyEntities: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    model.entities = (0..<100).map { number in
      let entity = NSEntityDescription()
      entity.name = "Entity\(number)"
      entity.properties = (0..<10).map { column in
        let attribute = NSAttributeDescription()
        attribute.name = "a\(column)"
        attribute.attributeType = .integer64AttributeType
        return attribute
      }
      return entity
    }
    return model
  }()
}
