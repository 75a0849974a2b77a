public import CoreData
import Foundation

/// Finds out what deletions would take along.
public struct Deletions: Sendable {
  private let reading: StoreReading

  /// - Parameter coordinator: its stores have the objects.
  public init(in coordinator: NSPersistentStoreCoordinator) {
    reading = StoreReading(coordinator: coordinator)
  }

  /// Finds out what deleting some objects would take along, by the delete rules of the model.
  ///
  /// The objects are found breadth-first, with a few queries for each relationship and step. Nothing
  /// is changed, and no code of the model's classes decides anything.
  ///
  /// - Parameters:
  ///   - objects: the objects that are to be deleted.
  ///   - mostObjects: the number of objects after which the search ends, with those that would
  ///     stay.
  ///   - mostTold: the number of deleted objects that are told by name.
  ///   - time: the time after which the search ends.
  /// - Throws: the errors of the store, and `CancellationError` when the task was cancelled.
  public func preview(
    of objects: [NSManagedObjectID],
    mostObjects: Int = 20_000,
    mostTold: Int = 100,
    within time: Duration = .seconds(5)
  ) async throws -> DeletionPreview {
    let deadline = ContinuousClock.now + time
    // Time to tell what was found is beside the time to find it.
    return try await reading.read(within: time * 2 + .seconds(5), isPinned: true) { context in
      var search = DeletionSearch(
        context: context,
        mostObjects: min(max(mostObjects, 1), 200_000),
        deadline: deadline
      )
      try search.run(objects)
      return try search.preview(mostTold: min(max(mostTold, 0), 1_000))
    }
  }
}
