import Foundation

/// A place of a store: where it is, and how it is opened.
struct StorePlace {
  let url: URL
  let type: String
  let options: [AnyHashable: Any]?

  /// The options without those that would migrate the store on the way.
  var plainOptions: [AnyHashable: Any] {
    (options ?? [:]).filter { key, _ in
      ![
        NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
        NSPersistentStoreStagedMigrationManagerOptionKey,
        NSPersistentStoreDeferredLightweightMigrationOptionKey,
      ].contains(key as? String)
    }
  }

  /// Makes the object of the store, which is not opened for it.
  func makeStore<Store: ObjectStore>(
    of storeClass: Store.Type,
    in coordinator: NSPersistentStoreCoordinator,
    configuration: String? = nil
  ) -> Store {
    storeClass.init(_addedTo: coordinator, configurationName: configuration, at: url, options: options)
  }
}
