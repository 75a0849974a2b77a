import CoreData
import Foundation

/// The least cost of opening a store: SQLite's C API, the comparison of the hashes in its metadata with the
/// model's, and the columns of each entity by the names of its attributes.
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
