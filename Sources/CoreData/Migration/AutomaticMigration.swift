import Foundation

/// Brings a store of an older model up to date when it is added to a coordinator, as its options ask.
struct AutomaticMigration {
  private let store: UnopenedStore
  private let configuration: String?
  private let model: NSManagedObjectModel
  private let log: MigrationLog
  private var place: StoreDescriptor { store.place }

  init(_ store: UnopenedStore, configuration: String?, model: NSManagedObjectModel) {
    self.store = store
    self.configuration = configuration
    self.model = model
    log = MigrationLog(store.place.url)
  }

  /// Does nothing for a store that fits the model, that does not exist, or that the options do not
  /// allow to migrate: opening the store reports what is wrong.
  func run() throws {
    var outdated = try outdatedMetadata()
    while let metadata = outdated {
      do {
        return try migrate(metadata)
      } catch {
        guard Self.mayBeOvertaken(error) else { throw error }
        // Another process may have migrated the store since it was inspected: its model is a different one then.
        outdated = try outdatedMetadata()
        if let outdated, Self.hashes(outdated) == Self.hashes(metadata) { throw error }
      }
    }
  }

  /// True for a failure that has changed nothing, and that the store gives no reason for any more where
  /// another program has migrated it.
  private static func mayBeOvertaken(_ error: any Error) -> Bool {
    (error as NSError).code == NSMigrationMissingSourceModelError || MigratedMeanwhile.isReason(for: error)
  }

  private static func hashes(_ metadata: [String: Any]) -> [String: Data]? {
    NSManagedObjectModel.entityVersionHashes(inStoreMetadata: metadata)
  }

  private func migrate(_ metadata: [String: Any]) throws {
    if let manager = place.options?[NSPersistentStoreStagedMigrationManagerOptionKey] {
      try migrateInStages(manager, metadata: metadata)
    } else {
      let search = SourceModelSearch(store: store, metadata: metadata, destination: model)
      try migrate(from: search.source())
    }
  }

  /// The metadata of a store that has to be migrated first.
  private func outdatedMetadata() throws -> [String: Any]? {
    guard isSet(NSMigratePersistentStoresAutomaticallyOption), !isSet(NSReadOnlyPersistentStoreOption),
      !isSet(NSIgnorePersistentStoreVersioningOption), let metadata = try? store.metadata(),
      Self.hashes(metadata) != nil,
      (metadata[NSStoreTypeKey] as? String ?? place.type) == place.type
    else { return nil }
    let entities = model.entities(ofStoreWith: metadata, configuration: configuration)
    let differences = model.versionDifferences(fromStoreMetadata: metadata, entities: entities)
    if differences.isEmpty { return nil }
    log.report("the store is of another version of the model: \(differences.joined(separator: "; "))")
    return metadata
  }

  private func isSet(_ option: String) -> Bool { (place.options?[option] as? Bool) ?? false }

  private func migrateInStages(_ manager: Any, metadata: [String: Any]) throws {
    guard let manager = manager as? NSStagedMigrationManager else {
      throw CocoaError.coreData(
        NSMigrationError,
        message:
          "the option NSPersistentStoreStagedMigrationManagerOptionKey is not an NSStagedMigrationManager; give it one."
      )
    }
    try manager.migrate(store, metadata: metadata, to: model, configuration: configuration)
  }

  /// Migrates the store in one step: by the mapping model between the two models, or without one.
  ///
  /// A mapping model among the program's resources is for this very version, which the program knows by it.
  func migrate(from source: SourceModel) throws {
    source.model.freeze()
    let migration = InPlaceMigration(store, from: source.model, to: model, configuration: configuration)
    if let found = NSMappingModel(from: nil, forSourceModel: source.model, destinationModel: model) {
      log.report("the mapping model is one of the program's resources")
      try migration.run(found)
    } else {
      try migration.run(inferred(from: source))
    }
  }

  private func inferred(from source: SourceModel) throws -> LightweightMigration {
    guard isSet(NSInferMappingModelAutomaticallyOption) else {
      throw missingMapping("none is in the program's resources, and none is to be inferred", userInfo: [:])
    }
    let migration = LightweightMigration(from: source.model, to: model)
    if !source.isKnown { try DowngradeCheck(store: store, migration: migration).run() }
    do {
      try migration.requireInferable()
    } catch {
      var userInfo = (error as NSError).userInfo
      userInfo[NSUnderlyingErrorKey] = error
      throw missingMapping(error.localizedDescription, userInfo: userInfo)
    }
    log.report("the mapping model is inferred")
    return migration
  }

  private func missingMapping(_ reason: String, userInfo: [String: Any]) -> any Error {
    CocoaError.coreData(
      NSMigrationMissingMappingModelError,
      message:
        "\(place.url.storeName): the store cannot be migrated, since there is no mapping model: \(reason)",
      userInfo: userInfo.merging([NSURLErrorKey: place.url, NSFilePathErrorKey: place.url.storeName]) {
        _,
        new in new
      }
    )
  }
}
