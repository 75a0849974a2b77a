public import Foundation

extension NSPersistentStoreCoordinator {
  /// Puts a copy of one store in the place of another, which is closed and removed from the coordinator if it is in
  /// it. There need not be a store at that place.
  ///
  /// The place has at any time either the old store or the new one.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when there is no store to be copied, or a file cannot be written.
  public final func replacePersistentStore(
    at destinationURL: URL,
    destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    let files = try Self.files(of: storeType)
    for store in openStores where store.url?.standardizedFileURL == destinationURL.standardizedFileURL {
      try remove(store)
    }
    let copy = destinationURL.deletingLastPathComponent().appendingPathComponent(
      ".\(UUID().uuidString)-\(destinationURL.lastPathComponent)"
    )
    do {
      try files.copy(sourceURL, to: copy)
      try files.replace(destinationURL, with: copy)
    } catch {
      try? files.remove(copy)
      throw error
    }
  }

  /// Puts a copy of one store in the place of another.
  ///
  /// - Throws: what ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``
  ///   throws.
  public final func replacePersistentStore(
    at destinationURL: URL,
    destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL,
      destinationOptions: destinationOptions,
      withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions,
      ofType: storeType.rawValue
    )
  }

  /// Brings all objects of an open store to another place, into a store of the same or another type. The open store
  /// is removed from the coordinator, and its files stay.
  ///
  /// - Parameter url: where the new store is to be; nothing may be there.
  /// - Returns: the new store, which takes the old one's place in the coordinator.
  /// - Throws: an error in `NSCocoaErrorDomain` when the new store cannot be made.
  @discardableResult
  public final func migratePersistentStore(
    _ store: NSPersistentStore,
    to url: URL,
    options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> NSPersistentStore {
    let new = try move(store, to: url, options: options, type: storeType)
    announceStores(.didChange, replaced: [store, new, try objectIDs(in: new)])
    return new
  }

  private func move(
    _ store: NSPersistentStore,
    to url: URL,
    options: [AnyHashable: Any]?,
    type storeType: String
  ) throws -> NSPersistentStore {
    let configuration =
      store.configurationName == NSPersistentStore.defaultConfigurationName ? nil : store.configurationName
    if storeType != NSInMemoryStoreType, url.isFileURL, FileManager.default.fileExists(atPath: url.path) {
      throw MigrationFailure.error(
        CocoaError.fileWriteFileExists.rawValue,
        "\(url.path): there is a file already; remove it, or choose another place for the store.",
        [NSFilePathErrorKey: url.path, NSURLErrorKey: url]
      )
    }
    if store.type == NSSQLiteStoreType, storeType == NSSQLiteStoreType {
      try SQLiteFile(self.url(for: store)).copy(to: SQLiteFile(url))
      try remove(store)
      return try addPersistentStore(
        ofType: storeType,
        configurationName: configuration,
        at: url,
        options: options
      )
    }
    let new = try addPersistentStore(
      ofType: storeType,
      configurationName: configuration,
      at: url,
      options: options
    )
    do {
      var transfer = try StoreTransfer(from: store, to: new, in: self)
      try transfer.run()
    } catch {
      try? remove(new)
      try? StoreFiles(type: storeType).remove(url)
      throw error
    }
    try remove(store)
    return new
  }

  /// Brings all objects of an open store to another place.
  ///
  /// - Throws: what ``migratePersistentStore(_:to:options:withType:)`` throws.
  @discardableResult
  public final func migratePersistentStore(
    _ store: NSPersistentStore,
    to storeURL: URL,
    options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
  }

  /// The IDs of all objects of a store.
  private func objectIDs(in store: NSPersistentStore) throws -> [NSManagedObjectID] {
    let roots = managedObjectModel.numberedEntities.filter { $0.superentity == nil && keeps(store, $0) }
    return try roots.flatMap { root in
      var query = FetchQuery(entity: root)
      query.includesRows = false
      query.stores = [store.index]
      return try fetch(query).map { row in
        NSManagedObjectID(
          reference: row.reference,
          layout: row.layout,
          model: managedObjectModel,
          store: store
        )
      }
    }
  }

  private static func files(of type: String) throws -> StoreFiles {
    _ = try StoreTypes.storeClass(of: type)
    if type != NSInMemoryStoreType { return StoreFiles(type: type) }
    throw MigrationFailure.error(
      NSPersistentStoreInvalidTypeError,
      "a store in memory has no files that could be copied; name the type of a store on disk."
    )
  }
}
