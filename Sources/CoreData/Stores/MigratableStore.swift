import Foundation

/// A store that carries out a lightweight migration by its own means, where it is.
///
/// The coordinator calls it before it opens the store with the model. The connection for the first call also serves the
/// later calls and the opening. Any other store is migrated object by object, into a new one that replaces it.
package protocol MigratableStore: ObjectStore {
  /// The metadata of the existing store; `nil` if there is no store yet.
  func metadataBeforeOpening() throws -> [String: Any]?

  /// Migrates the store to the destination model, completely or not at all. Afterwards it has all entities of that
  /// model. If another program has migrated the store in the meantime, nothing changes.
  ///
  /// - Throws: `NSMigrationError` when an object lacks a value that the model requires,
  ///   `NSMigrationConstraintViolationError` when objects break a uniqueness constraint.
  func migrate(_ migration: LightweightMigration) throws
}

/// A store that caches the model that it was made with, so that it can be migrated without the model's file.
package protocol ModelCachingStore: MigratableStore {
  /// The model that is cached in the store, which must not be open; `nil` if there is no cached model.
  func cachedModel() throws -> NSManagedObjectModel?
}

/// A store whose migrations can postpone work that no caller needs to wait for.
protocol DeferringStore: MigratableStore {
  /// True when a migration has left tables or columns that are no longer used.
  var isCleanupDeferred: Bool { get }

  /// Does one piece of what migrations have left.
  ///
  /// - Returns: true when there is more to do.
  func cleanUpAfterMigration() throws -> Bool
}

/// A store with table names that its model does not determine. A store that is copied from it object
/// by object keeps these names.
protocol NameKeepingStore: ObjectStore {
  /// Gives the tables of a new, closed store the names that they have in the store that it was copied from.
  static func keepNames(of former: URL, in new: URL, migration: LightweightMigration) throws
}

extension LightweightMigration {
  /// The entities of the source that a store has.
  ///
  /// The statements of a migration fit one version of the model. If another process has brought the
  /// store to a third version meanwhile, the statements would drop that version's new data.
  ///
  /// - Throws: `NSMigrationError` when the store is of another version.
  package func sourceEntities(of metadata: StoreMetadata, store: URL) throws -> [NSEntityDescription] {
    try MigratedMeanwhile.requireVersion(of: metadata.properties, source: source, store: store)
  }
}
