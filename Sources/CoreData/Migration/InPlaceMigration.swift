import Foundation

/// Migrates a store at its present place. At any time, the place has the old content or the new
/// one, and changes that other writers commit meanwhile are not lost.
struct InPlaceMigration {
  private let store: UnopenedStore
  private let source: NSManagedObjectModel
  private let destination: NSManagedObjectModel
  private let configuration: String?
  private var place: StoreDescriptor { store.place }

  init(
    _ store: UnopenedStore,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel,
    configuration: String?
  ) {
    self.store = store
    self.source = source
    self.destination = destination
    self.configuration = configuration
  }

  /// Migrates the store: by its own means where it has them and the mapping is as it was inferred,
  /// else object by object.
  func run(_ mapping: NSMappingModel) throws {
    if store.migratable != nil, let migration = mapping.lightweightMigration(from: source, to: destination) {
      try run(migration)
    } else {
      try runByObjects(mapping)
    }
  }

  /// Migrates the store without a mapping model, by its own means where it has them.
  func run(_ migration: LightweightMigration) throws {
    guard let migratable = store.migratable else {
      return try runByObjects(MappingInference(migration).mappingModel())
    }
    let log = MigrationLog(place.url)
    log.report("it goes by statements, in one transaction")
    defer { log.report("the migration has ended") }
    try store.monitoring.observing(.migration) { try migratable.migrate(migration) }
  }

  /// Makes the new store next to the old one, and then replaces the old one by it.
  private func runByObjects(_ mapping: NSMappingModel) throws {
    let log = MigrationLog(place.url)
    log.report("it goes object by object, into a store beside this one")
    defer { log.report("the migration has ended") }
    guard let storeClass = store.storeClass as? any RebuildableStore.Type else {
      throw CocoaError.coreData(
        NSMigrationError,
        message: """
          a store of the type \(place.type) cannot be migrated object by object, since no other can take its place; \
          have the mapping inferred.
          """,
        userInfo: [NSURLErrorKey: place.url]
      )
    }
    // The connection that has read the store must be closed before the new store replaces it.
    try store.close()
    try store.monitoring.observing(.migration) {
      try storeClass.rebuild(at: place.url, options: place.options) { new in
        // Another process may have been quicker.
        if try isMigrated() { return false }
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        let newPlace = StoreDescriptor(url: new, type: place.type, options: place.options)
        try manager.migrate(MigrationEndpoints(source: place, destination: newPlace), mappingModel: mapping)
        return true
      }
    }
  }

  /// - Throws: `NSMigrationError` for a store that another program has brought to a third version.
  private func isMigrated() throws -> Bool {
    let metadata = try StoreTypes.metadata(of: place.type, at: place.url, options: place.options)
    if destination.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) { return true }
    _ = try MigratedMeanwhile.requireVersion(of: metadata, source: source, store: place.url)
    return false
  }
}
