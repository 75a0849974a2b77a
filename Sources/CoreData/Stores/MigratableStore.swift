import Foundation

/// A store that carries out a lightweight migration by its own means, where it is.
///
/// It is asked before it is opened with the model. What it opens for the first question serves the
/// others and the opening, so that the place is gone to once. Any other store is migrated object by
/// object, into a new one that takes its place.
protocol MigratableStore: ObjectStore {
  /// The metadata of the store that is there; `nil` where there is none yet.
  func metadataBeforeOpening() throws -> [String: Any]?

  /// Brings the store to the model that a migration leads to, of which it has all entities then: all
  /// of it or nothing. A store that another program has migrated meanwhile stays as it is.
  ///
  /// - Throws: `NSMigrationError` when an object lacks what the model requires,
  ///   `NSMigrationConstraintViolationError` when objects break a uniqueness constraint.
  func migrate(_ migration: LightweightMigration) throws
}

/// A store that caches the model that it was made with, so that it can be migrated without the
/// model's file.
protocol ModelCachingStore: MigratableStore {
  /// The model that is cached in the store, which is not open; `nil` when there is none.
  func cachedModel() throws -> NSManagedObjectModel?
}

/// A store whose migrations can postpone work that no caller needs to wait for.
protocol DeferringStore: MigratableStore {
  /// True when a migration has left something that nothing uses any more.
  var isCleanupDeferred: Bool { get }

  /// Does one piece of what migrations have left.
  ///
  /// - Returns: true when there is more to do.
  func cleanUpAfterMigration() throws -> Bool
}

/// A store with table names that its model does not determine. A store that is copied from it object
/// by object keeps these names.
protocol NameKeepingStore: ObjectStore {
  /// Gives the tables of a new, closed store the names that they have in the store that it was
  /// copied from.
  static func keepNames(of former: URL, in new: URL, _ migration: LightweightMigration) throws
}
