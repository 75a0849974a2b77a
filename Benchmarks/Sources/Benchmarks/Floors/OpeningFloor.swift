import CoreData
import Foundation

/// The least that opening a store can cost: SQLite's C API, its metadata, whose hashes are compared with those of the
/// model, and the columns of each entity by the names of its attributes.
enum OpeningFloor {
  static func contender(_ url: URL, _ model: NSManagedObjectModel) -> Contender {
    Contender(SampleFloors.name) {
      let data = try RawSQLite(url.path, hasMutex: false).readSchemaAndMetadata()
      let metadata = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
      let hashes = metadata?[NSStoreModelVersionHashesKey] as? [String: Data]
      precondition(hashes == model.entityVersionHashesByName)
      let columns = model.entities.map { entity in
        Dictionary(uniqueKeysWithValues: entity.properties.map { ($0.name, "Z" + $0.name.uppercased()) })
      }
      precondition(columns.count == model.entities.count)
    }
  }
}
