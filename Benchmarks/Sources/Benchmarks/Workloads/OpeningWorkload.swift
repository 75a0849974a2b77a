import CoreData
import Foundation
import Samples

/// Opens and closes a store of many entities.
enum OpeningWorkload {
  static func make(_ files: SampleFiles) throws -> Workload {
    let model = ManyEntities.make()
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
}
