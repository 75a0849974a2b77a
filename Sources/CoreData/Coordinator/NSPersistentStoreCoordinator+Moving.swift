import Files
public import Foundation

extension NSPersistentStoreCoordinator {
  /// Replaces a store by a copy of another one. The replaced store is closed and removed from the
  /// coordinator if it is in it. There need not be a store at the destination.
  ///
  /// At any time, the place has either the old store or the new one. A SQLite store is replaced inside its file, under
  /// SQLite's locks: other connections see the new content, and lose nothing that they commit afterwards.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when there is no store to be copied, or a file cannot be written.
  public final func replacePersistentStore(
    at destinationURL: URL,
    destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    let streamable =
      try StoreTypes.storeClass(of: storeType) is any CopyableStore.Type
      ? nil : StoreTypes.storeClass(of: storeType) as? any StreamableStore.Type
    let storeClass = try streamable == nil ? Self.copyableClass(of: storeType) : nil
    for store in openStores where store.url?.standardizedFileURL == destinationURL.standardizedFileURL {
      try remove(store)
    }
    try streamable?.replace(
      destinationURL,
      options: destinationOptions,
      withCopyOf: sourceURL,
      options: sourceOptions
    )
    try storeClass?.replace(destinationURL, withCopyOf: sourceURL, options: destinationOptions)
  }

  /// Replaces a store by a copy of another one.
  ///
  /// ```swift
  /// try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: backup, type: .sqlite)
  /// try coordinator.addPersistentStore(type: .sqlite, at: url)
  /// ```
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

  /// Brings all objects of an open store to another place, into a store of the same or another
  /// type. The open store is removed from the coordinator, and its files stay.
  ///
  /// - Parameters:
  ///   - store: the store, which is open in this coordinator.
  ///   - url: the place of the new store; nothing may be there.
  ///   - options: the options of the new store.
  ///   - storeType: the name of the type of the new store.
  /// - Returns: the new store, which takes the old one's place in the coordinator.
  /// - Throws: an error in `NSCocoaErrorDomain` when the new store cannot be made.
  @discardableResult
  public final func migratePersistentStore(
    _ store: NSPersistentStore,
    to url: URL,
    options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> NSPersistentStore {
    // The store forgets its coordinator when it is removed, and IDs of its objects do not.
    let formerPlace = NSManagedObjectID.Place(store: store, model: managedObjectModel)
    let (new, transfer) = try move(store, to: url, options: options, type: storeType)
    let objectIDs =
      try transfer.map { self.objectIDs(of: $0, from: formerPlace, to: new) }
      ?? self.objectIDs(from: formerPlace, withSameKeysIn: new)
    announceStores(.didChange, replaced: [store, new, objectIDs])
    return new
  }

  /// Copies an open store piece by piece, under the keys that its objects have, without opening the copy.
  ///
  /// - Parameters:
  ///   - url: the place of the copy; nothing may be there.
  ///   - keepsHistory: true when the copy is to have the history as well.
  /// - Returns: false where the two types of stores cannot do so, and nothing was copied.
  /// - Throws: an error in `NSCocoaErrorDomain` when the copy cannot be made; no part of the copy is left.
  package final func copy(
    _ store: NSPersistentStore,
    to url: URL,
    options: [AnyHashable: Any]?,
    type storeType: String,
    keepsHistory: Bool
  ) throws -> Bool {
    guard let source = store as? any StreamableStore,
      let target = try StoreTypes.storeClass(of: storeType) as? any StreamableStore.Type,
      !(source is any MovableStore) || type(of: source) != target
    else { return false }
    let place = StoreDescriptor(url: url, type: storeType, options: options)
    try target.requireNothing(at: place)
    try target.create(at: place, model: managedObjectModel, configuration: nil) { receiver in
      try source.streaming(as: receiver.index) { try receiver.receive($0, keepsHistory: keepsHistory) }
    }
    return true
  }

  /// Finds out whether every object of the open stores can be read, for a caller that takes what it reads for all.
  ///
  /// - Throws: an error that names the store of which a database hides objects.
  package final func requireAllRows() throws { for store in openStores { try store.requireAllRows() } }

  /// - Returns: the new store, and what became of the objects' references; `nil` where they have the same keys.
  private func move(
    _ store: NSPersistentStore,
    to url: URL,
    options: [AnyHashable: Any]?,
    type storeType: String
  ) throws -> (store: NSPersistentStore, transfer: [StoreTransfer.Move]?) {
    let configuration =
      store.configurationName == NSManagedObjectModel.defaultConfigurationName
      ? nil : store.configurationName
    let storeClass = try StoreTypes.storeClass(of: storeType)
    let copyable = storeClass as? any CopyableStore.Type
    if copyable != nil, url.isFileURL, !StoreFile(url).isNowhere, FileKind(at: url.path) != .nothing {
      throw CocoaError.coreData(
        CocoaError.fileWriteFileExists.rawValue,
        message: "\(url.path): there is a file already; remove it, or choose another place for the store.",
        userInfo: [NSFilePathErrorKey: url.path, NSURLErrorKey: url]
      )
    }
    guard openStores.contains(where: { $0 === store }) else { throw Self.cannotMove(store) }
    let place = StoreDescriptor(url: url, type: storeType, options: options)
    let movable = store as? any MovableStore
    // Changes that other writers commit during the copy would be in the old place alone.
    return try withoutWriters(of: movable) {
      if let source = store as? any StreamableStore, let target = storeClass as? any StreamableStore.Type,
        movable == nil || type(of: source) != target
      {
        try target.create(at: place, model: managedObjectModel, configuration: configuration) { receiver in
          try source.streaming(as: receiver.index) { try receiver.receive($0) }
        }
        do {
          return (try switchOver(to: try open(place, configuration: configuration), from: store), nil)
        } catch {
          try? target.destroy(at: url, options: options)
          throw error
        }
      }
      guard let copyable, copyable.isCreatedAside(for: url) else {
        return try moveInPlace(store, to: place, configuration: configuration)
      }
      var transfer: [StoreTransfer.Move]?
      if let movable, type(of: movable) == storeClass {
        try movable.copy(to: url)
      } else {
        try copyable.create(at: url) { temporary in
          StoreFile(temporary).make(withPermissionsOf: store.url)
          let place = StoreDescriptor(url: temporary, type: storeType, options: options)
          let target = try open(place, configuration: configuration)
          transfer = try fill(target, from: store)
          try target.close()
        }
      }
      do {
        return (try switchOver(to: try open(place, configuration: configuration), from: store), transfer)
      } catch {
        try? copyable.removeAll(at: url)
        throw error
      }
    }
  }

  /// Fills a store in memory, or one of an application's own class, of which only that class knows how it is kept.
  private func moveInPlace(
    _ store: NSPersistentStore,
    to place: StoreDescriptor,
    configuration: String?
  ) throws -> (NSPersistentStore, [StoreTransfer.Move]?) {
    let streamable = try StoreTypes.storeClass(of: place.type) as? any StreamableStore.Type
    try streamable?.requireNothing(at: place)
    do {
      let target = try open(place, configuration: configuration)
      let transfer = try fill(target, from: store)
      return (try switchOver(to: target, from: store), transfer)
    } catch {
      try? (StoreTypes.storeClass(of: place.type) as? any CopyableStore.Type)?.removeAll(at: place.url)
      try? streamable?.destroy(at: place.url, options: place.options)
      throw error
    }
  }

  private func fill(_ new: any ObjectStore, from store: NSPersistentStore) throws -> [StoreTransfer.Move] {
    do {
      guard let source = openStores.first(where: { $0 === store }) else { throw Self.cannotMove(store) }
      try source.requireAllRows()
      return try StoreTransfer.run(from: source, to: new, model: managedObjectModel)
    } catch {
      try? new.close()
      throw error
    }
  }

  private static func cannotMove(_ store: NSPersistentStore) -> any Error {
    CocoaError.coreData(
      NSPersistentStoreOperationError,
      message:
        "the store \(store.url?.storeName ?? "") is not open in this coordinator; it cannot be migrated by it."
    )
  }

  private func switchOver(to new: any ObjectStore, from store: NSPersistentStore) throws -> NSPersistentStore {
    // All objects are in the new place by now, so an error while closing the old store is ignored.
    try? remove(store)
    try register(new)
    return new
  }

  private func withoutWriters<Value>(of store: (any MovableStore)?, _ work: () throws -> Value) throws
    -> Value
  {
    guard let store else { return try work() }
    return try store.withoutWriters(work)
  }

  /// Brings all objects of an open store to another place.
  ///
  /// ```swift
  /// let store = coordinator.persistentStores[0]
  /// let file = folder.appendingPathComponent("Notes.xml")
  /// let xml = try coordinator.migratePersistentStore(store, to: file, type: .xml)
  /// print(xml.type, coordinator.persistentStores.count)  // XML 1
  /// ```
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

  /// The IDs that objects had and have, in turns.
  private func objectIDs(
    of moves: [StoreTransfer.Move],
    from formerPlace: NSManagedObjectID.Place,
    to store: NSPersistentStore
  ) -> [NSManagedObjectID] {
    let newPlace = NSManagedObjectID.Place(store: store, model: managedObjectModel)
    return moves.flatMap { move in
      [(move.old, formerPlace), (move.new, newPlace)].map { reference, place in
        var reference = reference
        reference.store = place.store?.index ?? ObjectReference.noStore
        return NSManagedObjectID(reference: reference, layout: move.layout, place: place)
      }
    }
  }

  /// The IDs that all objects of a store had and have, in turns, where their keys are the same.
  private func objectIDs(
    from formerPlace: NSManagedObjectID.Place,
    withSameKeysIn store: NSPersistentStore
  ) throws -> [NSManagedObjectID] {
    let roots = managedObjectModel.numberedEntities.filter {
      $0.superentity == nil && canStore(familyOf: $0, in: store)
    }
    let moves = try roots.flatMap { root in
      var query = FetchQuery(entity: root)
      query.includesRows = false
      query.stores = [store.index]
      return try fetch(query).map { StoreTransfer.Move(old: $0.reference, new: $0.reference, layout: $0.layout) }
    }
    return objectIDs(of: moves, from: formerPlace, to: store)
  }

  private static func copyableClass(of type: String) throws -> any CopyableStore.Type {
    if let storeClass = try StoreTypes.storeClass(of: type) as? any CopyableStore.Type { return storeClass }
    throw CocoaError.coreData(
      NSPersistentStoreInvalidTypeError,
      message:
        "a store of the type \(type) has no files that could be copied; name the type of a store on disk."
    )
  }
}
