import CoreData
import Foundation
import Seeding

/// Copies a store with external data that an app ships, at the first launch of the app.
struct FirstLaunchWorkload: Workload {
  let name = "first launch"
  /// The number of batches. The fourth batch has an external data file.
  private static let batches = 4

  private func shipped(_ place: WorkPlace) -> URL { place.inputs.appendingPathComponent("shipped.sqlite") }

  func prepare(_ place: WorkPlace) throws {
    try CrashStore.make(shipped(place), batches: Self.batches)
  }

  func run(_ place: WorkPlace, acknowledge: (Int) -> Void) throws {
    _ = try ShippedStore.file(shipped(place)).copyIfAbsent(to: place.store)
    acknowledge(1)
  }

  func state(_ place: WorkPlace) throws -> Int {
    switch try CrashStore.lastBatch(of: place.store) {
    case nil: return 0
    case Self.batches: return 1
    case let last?: throw CrashStore.Wrong(description: "the copied store has \(last) batches")
    }
  }
}
