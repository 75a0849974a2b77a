import CoreData
import Foundation

/// Destroys a store: afterwards it is intact, or it is gone.
struct DestroyingWorkload: Workload {
  let name: String
  var type = NSSQLiteStoreType
  var isForced = false
  private static let batches = 13

  // Emptying a database is an ordinary transaction.
  var durability: Durability { type == NSSQLiteStoreType && !isForced ? .synchronised : .acknowledged }

  func prepare(_ place: WorkPlace) throws {
    try CrashStore.make(place.store, batches: Self.batches, type: type)
  }

  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: CrashModel.make()).destroyPersistentStore(
      at: place.store,
      ofType: type,
      options: isForced ? [NSPersistentStoreForceDestroyOption: true] : nil
    )
    acknowledge(1)
  }

  func state(_ place: WorkPlace) throws -> Int {
    switch try CrashStore.lastBatch(of: place.store, type: type) {
    case nil: return 1
    case Self.batches: return 0
    case let last?: throw CrashStore.Wrong(description: "the store that was destroyed has \(last) batches")
    }
  }
}
