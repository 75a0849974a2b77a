package import CoreData
import Foundation

/// Previews deletions.
package struct Deletions: Sendable {
  private let reading: StoreReading

  /// - Parameter coordinator: the coordinator whose stores have the objects.
  package init(in coordinator: NSPersistentStoreCoordinator) { reading = StoreReading(coordinator: coordinator) }

  /// Finds the objects that the delete rules of the model would also delete or change.
  ///
  /// The search is breadth-first, with a few queries for each relationship and level. It does not change
  /// anything and does not call methods of the model's classes.
  ///
  /// - Parameters:
  ///   - objects: the objects that are to be deleted.
  ///   - mostObjects: the number of objects after which the search ends, including the objects that would stay.
  ///   - mostTold: the number of deleted objects that the result names.
  ///   - time: the time after which the search ends.
  /// - Throws: the errors of the store, and `CancellationError` when the task was cancelled.
  package func preview(
    of objects: [NSManagedObjectID],
    mostObjects: Int = 20_000,
    mostTold: Int = 100,
    within time: Duration = .seconds(5)
  ) async throws -> DeletionPreview {
    let deadline = ContinuousClock.now + time
    // The time limit applies to the search. Names and counts are read afterwards.
    return try await reading.read(within: time * 2 + .seconds(5), isPinned: true) { context in
      var search = DeletionSearch(context: context, mostObjects: min(max(mostObjects, 1), 200_000), deadline: deadline)
      try search.run(objects)
      return try search.preview(mostTold: min(max(mostTold, 0), 1_000))
    }
  }
}
