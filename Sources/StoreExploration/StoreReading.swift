import CoreData
import Foundation
import Seeding
import Texts

/// Reads the stores of a coordinator, with a new context for each question.
struct StoreReading: Sendable {
  let coordinator: NSPersistentStoreCoordinator

  /// Runs work on the queue of a new context, within a time limit.
  ///
  /// When the time is over or the task is cancelled, the present statement is interrupted. The task's ``ReadLimit`` can
  /// shorten the time, make the read wait for a slot, and cancel it when the client disconnects.
  ///
  /// - Parameters:
  ///   - limit: the time that the work may take; `nil` for no limit.
  ///   - isPinned: true if all queries of the work must read the same snapshot, as far as the store supports snapshots.
  /// - Throws: an `ExplorationFailure` if the time was too short, `CancellationError` if the task is
  ///   cancelled, and the work's error.
  func read<Result: Sendable>(
    within limit: Duration?,
    isPinned: Bool = false,
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let bounds = ReadLimit.current
    guard let client = bounds?.client else {
      return try await read(within: limit, isPinned: isPinned, bounds: bounds, work)
    }
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
        throw Self.tookTooLong("other long questions have kept the store busy for \(Self.words(limit))", bounds: bounds)
      }
    }
    defer { bounds?.pool?.leave() }
    do {
      return try await context.perform(deadline: deadline) {
        if isPinned { try context.setQueryGenerationFrom(.current) }
        // An unreadable value must not appear as a missing one.
        return try context.throwingReadFailures { try work(context) }
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

  /// The entity with a name.
  ///
  /// - Throws: an `ExplorationFailure` that lists the entities of the model.
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
