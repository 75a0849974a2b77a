import CoreData
import Foundation

/// Sets metadata of a store that is not open.
struct MetadataWorkload: Workload {
  let name: String
  var type = NSSQLiteStoreType
  private static let (key, batches) = ("Reviewed", 3)

  var durability: Durability { type == NSSQLiteStoreType ? .synchronised : .acknowledged }

  func prepare(_ place: WorkPlace) throws {
    try CrashStore.make(place.store, batches: Self.batches, type: type)
  }

  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws {
    var metadata = try metadata(place)
    metadata[Self.key] = "yes"
    try NSPersistentStoreCoordinator.setMetadata(
      metadata,
      forPersistentStoreOfType: type,
      at: place.store,
      options: nil
    )
    acknowledge(1)
  }

  func state(_ place: WorkPlace) throws -> Int {
    let metadata = try metadata(place)
    guard try CrashStore.lastBatch(of: place.store, type: type) == Self.batches else {
      throw CrashStore.Wrong(description: "the store is not what it was")
    }
    return metadata[Self.key] as? String == "yes" ? 1 : 0
  }

  private func metadata(_ place: WorkPlace) throws -> [String: Any] {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: place.store, options: nil)
  }
}
