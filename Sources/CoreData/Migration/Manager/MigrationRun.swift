import Files
import Foundation

/// The source and the destination of a migration.
struct MigrationEndpoints {
  let source: StoreDescriptor
  let destination: StoreDescriptor
}

/// A migration under way: both stores open, with a context each.
final class MigrationRun {
  let mappingModel: NSMappingModel
  let log: MigrationLog
  let sourceContext: NSManagedObjectContext
  let destinationContext: NSManagedObjectContext
  /// The mapping that is being carried out.
  var mapping: NSEntityMapping?
  private let sourceCoordinator: NSPersistentStoreCoordinator
  private let destinationCoordinator: NSPersistentStoreCoordinator
  private let sourceStore: NSPersistentStore
  private let destinationStore: NSPersistentStore
  private let destinationPlace: StoreDescriptor
  private let closesSource: Bool
  /// The metadata that wait for the destination to be closed, when there was no object to be saved with them.
  private var unsavedMetadata: [String: Any]?

  /// Opens both stores.
  convenience init(places: MigrationEndpoints, mappingModel: NSMappingModel, manager: NSMigrationManager)
    throws
  {
    let source = NSPersistentStoreCoordinator(managedObjectModel: manager.sourceModel)
    let store = try Self.opening(NSMigrationManagerSourceStoreError, url: places.source.url) {
      try source.addPersistentStore(
        ofType: places.source.type,
        configurationName: Self.configuration(of: places.source, model: manager.sourceModel),
        at: places.source.url,
        options: places.source.plainOptions.merging([NSReadOnlyPersistentStoreOption: true]) { _, new in new }
      )
    }
    let isMade = Self.makeFile(at: places.destination, withPermissionsOf: places.source)
    do {
      try self.init(
        source: source,
        store: store,
        place: places.destination,
        mappingModel: mappingModel,
        manager: manager,
        closesSource: true
      )
    } catch {
      try? source.remove(store)
      if isMade { Self.removeEmptyFile(at: places.destination) }
      throw error
    }
  }

  /// Opens the destination while the source is open.
  init(
    source: NSPersistentStoreCoordinator,
    store: NSPersistentStore,
    place: StoreDescriptor,
    mappingModel: NSMappingModel,
    manager: NSMigrationManager,
    closesSource: Bool
  ) throws {
    // An object that cannot be read would be missing from the destination.
    try Self.opening(NSMigrationManagerSourceStoreError, url: store.url ?? place.url) { try source.requireAllRows() }
    let destination = NSPersistentStoreCoordinator(managedObjectModel: manager.destinationModel)
    destinationStore = try Self.opening(NSMigrationManagerDestinationStoreError, url: place.url) {
      try destination.addPersistentStore(
        ofType: place.type,
        configurationName: nil,
        at: place.url,
        options: place.plainOptions
      )
    }
    self.mappingModel = mappingModel
    log = MigrationLog(place.url)
    self.closesSource = closesSource
    destinationPlace = place
    sourceCoordinator = source
    destinationCoordinator = destination
    sourceStore = store
    sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    sourceContext.persistentStoreCoordinator = source
    destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    destinationContext.persistentStoreCoordinator = destination
  }

  /// Makes the file of the destination, where it is a store of this framework's own in a file.
  private static func makeFile(at place: StoreDescriptor, withPermissionsOf source: StoreDescriptor) -> Bool {
    guard let storeClass = (try? StoreTypes.storeClass(of: place.type)) as? any CopyableStore.Type,
      storeClass.isCreatedAside(for: place.url)
    else { return false }
    return StoreFile(place.url).make(withPermissionsOf: source.url)
  }

  private static func removeEmptyFile(at place: StoreDescriptor) {
    var status = stat()
    guard stat(place.url.path, &status) == 0, status.st_size == 0 else { return }
    _ = try? FilePlacing.removeFile(place.url.path)
  }

  /// Saves the destination, with the application's metadata of the source.
  func save() throws {
    // A value that could not be read in the source would be lost in the destination.
    try sourceContext.throwReadFailure()
    var metadata = sourceStore.metadata ?? [:]
    metadata[NSStoreUUIDKey] = nil
    metadata.merge(destinationStore.metadata ?? [:]) { _, own in own }
    destinationCoordinator.setMetadata(metadata, for: destinationStore)
    if !destinationContext.hasChanges, destinationPlace.url.isFileURL { unsavedMetadata = metadata }
    try destinationContext.save()
  }

  /// Closes both stores.
  func close() throws {
    sourceContext.reset()
    destinationContext.reset()
    if closesSource { try sourceCoordinator.remove(sourceStore) }
    try destinationCoordinator.remove(destinationStore)
    if let unsavedMetadata {
      try NSPersistentStoreCoordinator.setMetadata(
        unsavedMetadata,
        forPersistentStoreOfType: destinationPlace.type,
        at: destinationPlace.url
      )
    }
  }

  /// The configuration that a store is opened with which has its entities alone.
  private static func configuration(of place: StoreDescriptor, model: NSManagedObjectModel) throws -> String? {
    if model.configurationMembers.isEmpty { return nil }
    let metadata = try StoreTypes.metadata(of: place.type, at: place.url, options: place.options)
    return model.soleConfiguration(ofStoreWith: metadata)
  }

  private static func opening<Value>(_ code: Int, url: URL, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw CocoaError.coreData(
        code,
        message: "the migration could not open \(url.storeName): \(error.localizedDescription)",
        userInfo: [NSURLErrorKey: url, NSUnderlyingErrorKey: error]
      )
    }
  }
}
