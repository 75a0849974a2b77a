import CoreData
import Foundation

/// Migrates a store to another model: afterwards it has the old model or the new one.
struct MigrationWorkload: Workload {
  enum Way: Sendable {
    /// Adding the store to a coordinator migrates it.
    case automatic
    /// A manager migrates the store by a mapping model into a new store, which then replaces it.
    case manager
  }

  let name: String
  var type = NSSQLiteStoreType
  var history = false
  var way = Way.automatic
  private static let itemCount = 60

  // A migration in place is one transaction in the usual journal mode. A replaced file is durable at once.
  var durability: Durability {
    type == NSSQLiteStoreType && way == .automatic ? .synchronised : .acknowledged
  }

  private func migrated(_ place: WorkPlace) -> MigratedStore {
    MigratedStore(
      place.store,
      options: history ? [NSPersistentHistoryTrackingKey: true] : [:],
      type: type
    )
  }

  func prepare(_ place: WorkPlace) throws { try migrated(place).make(itemCount: Self.itemCount) }

  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws {
    switch way {
    case .automatic: try migrated(place).migrate()
    case .manager: try migrateByManager(place)
    }
    acknowledge(1)
  }

  private func migrateByManager(_ place: WorkPlace) throws {
    let (old, new) = (CrashModel.make(), MigratedStore.newer())
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    let beside = place.file("newer.sqlite")
    try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
      from: place.store,
      sourceType: type,
      options: nil,
      with: mapping,
      toDestinationURL: beside,
      destinationType: type,
      destinationOptions: nil
    )
    try NSPersistentStoreCoordinator(managedObjectModel: new).replacePersistentStore(
      at: place.store,
      withPersistentStoreFrom: beside,
      ofType: type
    )
  }

  func state(_ place: WorkPlace) throws -> Int {
    try migrated(place).verify(itemCount: Self.itemCount) == "new" ? 1 : 0
  }

  func owns(_ path: String) -> Bool {
    Self.isPart(path, of: "store.sqlite") || Self.isPart(path, of: "newer.sqlite")
  }
}
