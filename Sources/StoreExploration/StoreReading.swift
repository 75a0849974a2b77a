import CoreData
import Foundation
import Seeding
import Texts

/// Asks the stores of a coordinator, each question in a context of its own.
struct StoreReading: Sendable {
  let coordinator: NSPersistentStoreCoordinator

  /// Does work on the queue of a new context, for a limited time.
  ///
  /// The statement that the work is at ends when the time is over or the task is cancelled. The task's
  /// ``ReadLimit`` can shorten the time, make the read wait for a place, and end it with its client.
  ///
  /// - Parameters:
  ///   - limit: the time that the work may take; `nil` for any.
  ///   - isPinned: true where all queries of the work are to see one state of the store, as far as
  ///     the store can keep one.
  /// - Throws: an `ExplorationFailure` when the time was too short, `CancellationError` when the
  ///   task was cancelled, and what the work throws.
  func read<Result: Sendable>(
    within limit: Duration?,
    isPinned: Bool = false,
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let bounds = ReadLimit.current
    guard let client = bounds?.client else { return try await read(within: limit, isPinned: isPinned, bounds: bounds, work) }
    return try await client.whileWaiting { try await read(within: limit, isPinned: isPinned, bounds: bounds, work) }
  }

  private func read<Result: Sendable>(
    within limit: Duration?,
    isPinned: Bool,
    bounds: ReadLimit?,
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
    let limit = [limit, bounds?.duration].compactMap(\.self).min()
    let deadline = ContinuousClock.now + (limit ?? .seconds(86_400))
    if let pool = bounds?.pool {
      guard try await pool.enter(until: deadline) else {
        throw Self.tookTooLong(
          "other long questions have kept the store busy for \(Self.words(limit))",
          bounds: bounds
        )
      }
    }
    defer { bounds?.pool?.leave() }
    do {
      return try await context.perform(deadline: deadline) {
        if isPinned { try context.setQueryGenerationFrom(.current) }
        let result = try work(context)
        // A value that cannot be read is not to be taken for none.
        try context.throwReadFailure()
        return result
      }
    } catch let error as NSError
      where error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreTimeoutError
    {
      throw Self.tookTooLong("the store has not answered within \(Self.words(limit))", bounds: bounds)
    }
  }

  private static func tookTooLong(_ problem: String, bounds: ReadLimit?) -> ExplorationFailure {
    ExplorationFailure(
      code: .tookTooLong,
      problem: problem,
      remedy: bounds?.remedy
        ?? "narrow the question by a predicate, add an index to the model, or allow more time"
    )
  }

  private static func words(_ limit: Duration?) -> String {
    guard let limit else { return "a day" }
    return limit.formatted(.units(allowed: [.minutes, .seconds, .milliseconds], width: .wide))
  }

  /// The entity of a name.
  ///
  /// - Throws: an `ExplorationFailure` that names the entities of the model.
  func entity(_ name: String) throws -> NSEntityDescription {
    let entities = coordinator.managedObjectModel.entitiesByName
    if let entity = entities[name] { return entity }
    throw ExplorationFailure(
      code: .unknownName,
      problem: "the model has no entity \"\(name)\"",
      remedy: Suggestion.remedy("name", word: name, among: entities.keys.sorted(), of: "its entities are")
    )
  }
}
