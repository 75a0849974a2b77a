import CoreData
import Foundation

/// Copies a store or replaces another store with it: the source stays as it is, and the destination is intact.
struct MovingWorkload: Workload {
  enum Way: Sendable {
    /// A coordinator migrates an open store to another location.
    case migratePersistentStore
    /// A copy replaces another store.
    case replacePersistentStore
    /// A copy is made where there is no store.
    case replaceNothing
  }

  let name: String
  let way: Way
  var type = NSSQLiteStoreType
  var targetType = NSSQLiteStoreType

  private static let (sourceBatches, targetBatches) = (17, 13)

  private func source(_ place: WorkPlace) -> URL { place.file("source.sqlite") }

  func prepare(_ place: WorkPlace) throws {
    try CrashStore.make(source(place), batches: Self.sourceBatches, type: type)
    if way == .replacePersistentStore {
      try CrashStore.make(place.store, batches: Self.targetBatches, type: targetType)
    }
  }

  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CrashModel.make())
    if way == .migratePersistentStore {
      let store = try coordinator.addPersistentStore(
        ofType: type,
        configurationName: nil,
        at: source(place)
      )
      try coordinator.remove(coordinator.migratePersistentStore(store, to: place.store, withType: targetType))
    } else {
      try coordinator.replacePersistentStore(
        at: place.store,
        withPersistentStoreFrom: source(place),
        ofType: type
      )
    }
    acknowledge(1)
  }

  func state(_ place: WorkPlace) throws -> Int {
    guard try CrashStore.lastBatch(of: source(place), type: type) == Self.sourceBatches else {
      throw CrashStore.Wrong(description: "the store that was copied is not what it was")
    }
    switch (try CrashStore.lastBatch(of: place.store, type: targetType), way) {
    case (Self.sourceBatches, _): return 1
    case (Self.targetBatches, .replacePersistentStore), (nil, .migratePersistentStore),
      (nil, .replaceNothing):
      return 0
    case (let last, _):
      throw CrashStore.Wrong(
        description: "the place of the copy has \(last.map { "\($0) batches" } ?? "no store")"
      )
    }
  }

  func owns(_ path: String) -> Bool {
    // Every reader of a database in WAL mode creates these files.
    Self.isPart(path, of: "store.sqlite") || ["source.sqlite-wal", "source.sqlite-shm"].contains(path)
  }
}
