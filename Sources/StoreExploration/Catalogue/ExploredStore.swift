package import CoreData
import Foundation

/// A store that answers questions. Each question has a context of its own and therefore sees the store's present state.
// Any thread may use a coordinator. The store only serves as an identifier, and its configuration is constant.
package struct ExploredStore: @unchecked Sendable {
  package let coordinator: NSPersistentStoreCoordinator
  package let store: NSPersistentStore

  /// - Returns: `nil` if the coordinator has no store.
  package init?(_ coordinator: NSPersistentStoreCoordinator) {
    guard let store = coordinator.persistentStores.first else { return nil }
    self.coordinator = coordinator
    self.store = store
  }

  package var model: NSManagedObjectModel { coordinator.managedObjectModel }

  /// False if the store was made with another model, for example when the model was derived from its tables.
  package var hasOwnModel: Bool {
    model.isConfiguration(
      withName: store.configurationName,
      compatibleWithStoreMetadata: coordinator.metadata(for: store)
    )
  }

  /// Answers a question on the queue of a new context.
  ///
  /// - Parameter limit: the time that the answer may take.
  /// - Throws: the work's error, `tookTooLong` when the time is over, or `CancellationError` when the task is
  ///   cancelled.
  package func read<Value: Sendable>(
    within limit: Duration,
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Value
  ) async throws -> Value {
    try await StoreReading(coordinator: coordinator).read(within: limit) { context in
      defer { context.reset() }
      return try context.throwingReadFailures { try work(context) }
    }
  }

  /// - Throws: `unknownName` for an entity that the model does not have.
  package func entity(_ name: String) throws -> NSEntityDescription {
    try StoreReading(coordinator: coordinator).entity(name)
  }

  /// The ID of the object with this entity and key.
  ///
  /// - Throws: `noSuchObject` if the number cannot be a key.
  package func objectID(_ entity: NSEntityDescription, key: Int64) throws -> NSManagedObjectID {
    if let id = coordinator.objectID(of: entity, key: key) { return id }
    throw Self.noObject(entity, key: key)
  }

  /// - Throws: `noSuchObject` if the store does not have the object.
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
      remedy: "another program or page may have deleted it; look for it among the others"
    )
  }
}
