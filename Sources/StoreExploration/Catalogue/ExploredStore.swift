package import CoreData
import Foundation

/// A store that questions are asked of: each in a context of its own, so that it sees the store as it
/// is then.
// A coordinator may be used from any thread. The store is asked for its identity alone.
package struct ExploredStore: @unchecked Sendable {
  package let coordinator: NSPersistentStoreCoordinator
  package let store: NSPersistentStore

  /// - Returns: `nil` for a coordinator without a store.
  package init?(_ coordinator: NSPersistentStoreCoordinator) {
    guard let store = coordinator.persistentStores.first else { return nil }
    self.coordinator = coordinator
    self.store = store
  }

  package var model: NSManagedObjectModel { coordinator.managedObjectModel }

  /// False where the store was made with another model, as where its tables alone told of the model.
  package var hasOwnModel: Bool {
    model.isConfiguration(
      withName: store.configurationName,
      compatibleWithStoreMetadata: coordinator.metadata(for: store)
    )
  }

  /// Answers a question on the queue of a new context.
  ///
  /// - Parameter limit: the time that the answer may take.
  /// - Throws: what the work throws; `tookTooLong` when its time was up, `CancellationError` with the task.
  package func read<Value: Sendable>(
    within limit: Duration,
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Value
  ) async throws -> Value {
    try await StoreReading(coordinator: coordinator).read(within: limit) { context in
      defer { context.reset() }
      let value = try work(context)
      try context.throwReadFailure()
      return value
    }
  }

  /// - Throws: `unknownName` for an entity that the model does not have.
  package func entity(_ name: String) throws -> NSEntityDescription {
    try StoreReading(coordinator: coordinator).entity(name)
  }

  /// The ID of an object that its entity and key name.
  ///
  /// - Throws: `noSuchObject` for what is no key.
  package func objectID(_ entity: NSEntityDescription, key: Int64) throws -> NSManagedObjectID {
    if let id = coordinator.objectID(of: entity, key: key) { return id }
    throw Self.noObject(entity, key: key)
  }

  /// - Throws: `noSuchObject` when the store does not have it.
  package func object(
    _ entity: NSEntityDescription,
    key: Int64,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let id = try objectID(entity, key: key)
    do {
      return try context.existingObject(with: id)
    } catch let error as NSError
      where [NSManagedObjectReferentialIntegrityError, NSCoreDataError].contains(error.code)
    {
      throw Self.noObject(entity, key: key)
    }
  }

  private static func noObject(_ entity: NSEntityDescription, key: Int64) -> ExplorationFailure {
    ExplorationFailure(
      code: .noSuchObject,
      problem: "the store has no \(entity.name ?? "object") with the key \(key)",
      remedy: "somebody may have deleted it; look for it among the others"
    )
  }
}
