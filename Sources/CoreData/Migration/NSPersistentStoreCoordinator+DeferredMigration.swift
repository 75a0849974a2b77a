import Foundation

extension NSPersistentStoreCoordinator {
  /// Does all the work that lightweight migrations of its stores have left for later.
  ///
  /// A store whose metadata have `true` under `NSPersistentStoreDeferredLightweightMigrationOptionKey` has such work.
  ///
  /// - Throws: what SQLite reports.
  public final func finishDeferredLightweightMigration() throws {
    for case let store as SQLiteStore in openStores {
      while try store.cleanUpAfterMigration() {}
    }
  }

  /// Does one piece of the work that lightweight migrations of its stores have left for later: it drops a table, or
  /// frees tables of columns.
  ///
  /// - Throws: what SQLite reports.
  public final func finishDeferredLightweightMigrationTask() throws {
    for case let store as SQLiteStore in openStores where store.isCleanupDeferred {
      _ = try store.cleanUpAfterMigration()
      return
    }
  }
}
