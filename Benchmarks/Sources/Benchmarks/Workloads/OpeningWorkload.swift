import CoreData
import Foundation

/// A store of many entities is opened, and closed.
enum OpeningWorkload {
  static func make(_ files: SampleFiles) throws -> Workload {
    let model = manyEntities()
    let url = files.emptyFile()
    let made = NSPersistentStoreCoordinator(managedObjectModel: model)
    try made.remove(made.addPersistentStore(type: .sqlite, at: url))
    return Workload(
      title: "open a store of \(model.entities.count) entities; the C API reads the schema and the metadata",
      contenders: [
        Contender("C API") { try RawSQLite(url.path).readSchemaAndMetadata() },
        Contender("addPersistentStore", [.times(4)]) {
          let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
          try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: url))
        },
        OpeningFloor.contender(url, model),
      ]
    )
  }

  private static func manyEntities() -> NSManagedObjectModel {
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
  }
}
