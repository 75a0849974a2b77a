import Foundation

extension NSPersistentStoreCoordinator {
  /// Does all the work that lightweight migrations of its stores have left for later.
  ///
  /// A store whose metadata have `true` under `NSPersistentStoreDeferredLightweightMigrationOptionKey` has such work.
  ///
  /// - Throws: what the store reports.
  public final func finishDeferredLightweightMigration() throws {
    for case let store as any DeferringStore in openStores {
      while try store.cleanUpAfterMigration() {}
    }
  }

  /// Does one piece of the work that lightweight migrations of its stores have left for later: it
  /// drops a table, or frees tables of columns.
  ///
  /// - Throws: what the store reports.
  public final func finishDeferredLightweightMigrationTask() throws {
    for case let store as any DeferringStore in openStores where store.isCleanupDeferred {
      _ = try store.cleanUpAfterMigration()
      return
    }
  }

  /// Migrates a store that is not open to the coordinator's model, where it is.
  ///
  /// - Parameters:
  ///   - url: the place of the store.
  ///   - storeType: its type.
  ///   - source: the model that it was made with.
  ///   - mapping: the mapping that converts its objects to those of the coordinator's model.
  ///   - options: the options that the migrated store is opened with.
  /// - Throws: an error in `NSCocoaErrorDomain`, with the store as it was.
  package final func migrateStore(
    at url: URL,
    ofType storeType: String,
    from source: NSManagedObjectModel,
    by mapping: NSMappingModel,
    options: [AnyHashable: Any]? = nil
  ) throws {
    source.freeze()
    let store = unopenedStore(
      StoreDescriptor(url: url, type: storeType, options: options),
      of: try StoreTypes.storeClass(of: storeType),
      configuration: nil
    )
    // The migration is committed, so an error while closing is ignored.
    defer { try? store.close() }
    try InPlaceMigration(store, from: source, to: managedObjectModel, configuration: nil).run(mapping)
  }
}
