public import Foundation
import Synchronization

/// Between the contexts and the stores of one model: it opens stores, and takes each request to the
/// stores that keep the objects it is about.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
/// try coordinator.addPersistentStore(type: .sqlite, at: folder.appendingPathComponent("Notes.sqlite"))
///
/// let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
/// context.persistentStoreCoordinator = coordinator
/// let count = try await context.perform {
///   try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
/// }
/// ```
///
/// It can be used from any thread. Apple's documentation of `NSPersistentStoreCoordinator`.
// Locks protect all state that changes. Subclasses are responsible for the state that they add.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  /// The model, which cannot be changed from here on.
  public final let managedObjectModel: NSManagedObjectModel

  /// A name for debugging.
  open var name: String? {
    get { ownName.withLock { $0 } }
    set { ownName.withLock { $0 = newValue } }
  }

  private final let ownName = Mutex<String?>(nil)

  /// A number that is unique among the coordinators of the process, and is never used again.
  final let number = nextNumber.add(1, ordering: .relaxed).newValue

  private static let nextNumber = Atomic<Int>(0)
  private final let stores = Mutex<Stores>(Stores())
  /// The contexts that merge saved changes automatically.
  private final let mergingContexts = Mutex(WeakContexts())
  final let commonReadFailureHandling = Mutex<ReadFailureHandling>(.log)
  final let commonFaultPolicy = CommonFaultPolicy()
  final let cloudKitEvents = CloudKitEvents()
  package final let monitoring = StoreMonitoring()
  private final let queue = ContextQueue(isMain: false)

  private struct Stores {
    var open: [any ObjectStore] = []
    /// The number of stores that have been opened so far: each gets an index of its own for good.
    var count: Int32 = 0
  }

  /// Makes a coordinator for a model, without stores.
  public required init(managedObjectModel model: NSManagedObjectModel) {
    model.freeze()
    managedObjectModel = model
    super.init()
  }

  /// The stores that are open.
  open var persistentStores: [NSPersistentStore] { openStores }

  final var openStores: [any ObjectStore] { stores.withLock { $0.open } }

  final var followers: [WeakContext] { mergingContexts.withLock { $0.all } }

  final func addFollower(_ context: NSManagedObjectContext) {
    mergingContexts.withLock { $0.add(context) }
  }

  final func store(at index: Int32) -> NSPersistentStore? { openStores.first { $0.index == index } }

  /// Opens a store, which is made if there is none yet, and adds it.
  ///
  /// ```swift
  /// let store = try coordinator.addPersistentStore(
  ///   ofType: NSSQLiteStoreType,
  ///   configurationName: nil,
  ///   at: folder.appendingPathComponent("Archive.sqlite"),
  ///   options: [NSPersistentHistoryTrackingKey: true]
  /// )
  /// print(store.identifier ?? "")
  /// ```
  ///
  /// - Throws: an error in `NSCocoaErrorDomain`: `NSPersistentStoreInvalidTypeError` for a type that is not known,
  ///   `NSPersistentStoreIncompatibleVersionHashError` for a store that was made with another model and that the
  ///   options do not allow to be migrated, `NSMigrationMissingSourceModelError`, `NSMigrationMissingMappingModelError`
  ///   or `NSMigrationError` for one that cannot be, or what the store could not do.
  @discardableResult
  open func addPersistentStore(
    ofType storeType: String,
    configurationName configuration: String?,
    at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    let storeClass = try StoreTypes.storeClass(of: storeType)
    try checkConfiguration(configuration)
    let url = try storeURL ?? StoreTypes.defaultURL(of: storeType)
    let place = StoreDescriptor(url: url, type: storeType, options: options)
    let unopened = unopenedStore(place, of: storeClass, configuration: configuration)
    let store: any ObjectStore
    do {
      try AutomaticMigration(unopened, configuration: configuration, model: managedObjectModel).run()
      store = try open(unopened.migratable ?? place.makeStore(of: storeClass, in: self, configuration: configuration))
    } catch {
      try? unopened.close()
      throw error
    }
    do {
      try register(store)
    } catch {
      try? store.close()
      throw error
    }
    return store
  }

  /// A store at a place, as a migration finds it.
  final func unopenedStore(
    _ place: StoreDescriptor,
    of storeClass: any ObjectStore.Type,
    configuration: String?
  ) -> UnopenedStore {
    let migratable = (storeClass as? any MigratableStore.Type).map {
      place.makeStore(of: $0, in: self, configuration: configuration) as any MigratableStore
    }
    return UnopenedStore(
      place: place,
      storeClass: storeClass,
      migratable: migratable,
      monitoring: monitoring
    )
  }

  /// Opens a store, which is not one of the coordinator's before it is registered.
  final func open(_ place: StoreDescriptor, configuration: String?) throws -> any ObjectStore {
    let storeClass = try StoreTypes.storeClass(of: place.type)
    return try open(place.makeStore(of: storeClass, in: self, configuration: configuration))
  }

  private func open(_ store: any ObjectStore) throws -> any ObjectStore {
    store.index = stores.withLock { stores in
      defer { stores.count += 1 }
      return stores.count
    }
    try store.open(model: managedObjectModel)
    store.metadataWereLoaded()
    return store
  }

  /// Makes an open store one of the coordinator's.
  ///
  /// - Throws: an error when it has the store already. It is the identity that counts: IDs of objects name it.
  final func register(_ store: any ObjectStore) throws {
    if let present = openStores.first(where: { $0.identifier == store.identifier }) {
      throw Self.isOpen(present, store: store)
    }
    announceStores(.willChange, added: [store])
    // Another thread may have been faster.
    let present = stores.withLock { stores -> (any ObjectStore)? in
      if let present = stores.open.first(where: { $0.identifier == store.identifier }) { return present }
      stores.open.append(store)
      return nil
    }
    if let present { throw Self.isOpen(present, store: store) }
    store.didAdd(to: self)
    ClassRegister.add(managedObjectModel)
    announceStores(.didChange, added: [store])
  }

  private static func isOpen(_ present: any ObjectStore, store: any ObjectStore) -> NSError {
    let path = store.url?.storeName ?? ""
    let place = present.url?.storeName == path ? "" : ", at \(present.url?.storeName ?? ""), of which this is a copy"
    return CocoaError.coreData(
      // Apple's framework gives this code, which has no name.
      134_081,
      message: """
        \(path): the coordinator has this store already\(place); use that one, or remove it first. A copy gets an identity \
        of its own by setMetadata(_:forPersistentStoreOfType:at:options:) with another \(NSStoreUUIDKey).
        """,
      userInfo: [NSFilePathErrorKey: path]
    )
  }

  /// Closes a store and takes it out of the coordinator. Objects of it that contexts still have cannot be used.
  ///
  /// ```swift
  /// for store in coordinator.persistentStores {
  ///   try coordinator.remove(store)
  /// }
  /// ```
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when the store cannot be closed.
  open func remove(_ store: NSPersistentStore) throws {
    let open = try openStore(store, toBe: "removed from it")
    announceStores(.willChange, removed: [store])
    announceRemoval(of: store)
    store.willRemove(from: self)
    stores.withLock { $0.open.removeAll { $0 === store } }
    announceStores(.didChange, removed: [store])
    try open.close()
  }

  /// Destroys the store at a place. It need not be open, and need not be there.
  ///
  /// A SQLite store is emptied, so that other connections with the file open are not damaged: an
  /// empty database remains, even if there was no database before. The files of other stores are
  /// removed, and so are those of a SQLite store with ``NSPersistentStoreForceDestroyOption``.
  /// Apple's documentation of `destroyPersistentStore(at:ofType:options:)`.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when other connections do not close the database in
  ///   time, or a file cannot be removed.
  open func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil)
    throws
  {
    let storeClass = try StoreTypes.storeClass(of: storeType)
    for store in openStores where store.url?.standardizedFileURL == url.standardizedFileURL { try remove(store) }
    try storeClass.destroy(at: url, options: options)
  }

  /// The address of a store.
  open func url(for store: NSPersistentStore) -> URL { store.url ?? StoreFile.nowhere }

  /// Changes where an open store is.
  ///
  /// A store that is kept as a whole (XML, binary, one of an application's own) is written to the
  /// new place by its next save. A store of another kind closes its connection and opens the store
  /// at the new place, which has to exist already, with its original options. Contexts with objects
  /// of the former store should be reset. Apple's documentation of `setURL(_:for:)`.
  ///
  /// - Returns: `false`, with the store still open at its former place, when it is not open in this
  ///   coordinator, another one is open at the new place, or none can be opened there.
  open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    guard let open = openStores.first(where: { $0 === store }) else { return false }
    if let present = persistentStore(for: url) { return present === store }
    do {
      try open.relocate(to: url)
      return true
    } catch {
      return false
    }
  }

  /// The open store at an address.
  ///
  /// ```swift
  /// let store = coordinator.persistentStore(for: url)
  /// print(store?.isReadOnly ?? true)  // false
  /// ```
  open func persistentStore(for url: URL) -> NSPersistentStore? {
    openStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
  }

  /// Returns the metadata of a store: its type, its identity, and what else is known of the store itself.
  open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Replaces the metadata of a store, which are kept with the next save.
  ///
  /// ```swift
  /// let store = coordinator.persistentStores[0]
  /// var metadata = coordinator.metadata(for: store)
  /// metadata["lastImport"] = "2026-03-08"
  /// coordinator.setMetadata(metadata, for: store)  // the next save keeps it
  /// ```
  open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }

  /// Returns the metadata of the store at a place, which is not opened for it.
  ///
  /// - Parameters:
  ///   - storeType: the name of the type of the store.
  ///   - url: the place of the store.
  ///   - options: the options of the store, of which `NSPersistentStoreTimeoutOption` has a meaning here.
  /// - Throws: an error in `NSCocoaErrorDomain` when there is no such store.
  open class func metadataForPersistentStore(
    ofType storeType: String,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreTypes.metadata(of: storeType, at: url, options: options)
  }

  /// Replaces the metadata of the store at a place, without opening it. The value for
  /// `NSStoreUUIDKey` becomes the identity of a SQLite store.
  ///
  /// - Parameters:
  ///   - metadata: all of the new metadata, values of property lists by their keys.
  ///   - storeType: the name of the type of the store.
  ///   - url: the place of the store.
  ///   - options: the options of the store, of which `NSPersistentStoreTimeoutOption` has a meaning here.
  /// - Throws: an error in `NSCocoaErrorDomain` when there is no such store.
  open class func setMetadata(
    _ metadata: [String: Any]?,
    forPersistentStoreOfType storeType: String,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreTypes.setMetadata(metadata, of: storeType, at: url, options: options)
  }

  /// The ID that an address names, if it is one of an object in one of the stores.
  ///
  /// ```swift
  /// let address = note.objectID.uriRepresentation()
  /// if let id = coordinator.managedObjectID(forURIRepresentation: address) {
  ///   print(context.object(with: id).value(forKey: "title") ?? "")
  /// }
  /// ```
  open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? { objectID(for: url) }

  /// The ID that the text of an address names, if it is one of an object in one of the stores.
  public final func managedObjectID(for string: String) -> NSManagedObjectID? {
    URL(string: string).flatMap(managedObjectID(forURIRepresentation:))
  }

  /// Adds work to the coordinator's own queue, and does not wait for it.
  @preconcurrency open func perform(_ block: @escaping @Sendable () -> Void) { queue.async(block) }

  /// Runs work on the coordinator's own queue and waits for it. Inside the queue it runs at once.
  @preconcurrency open func performAndWait(_ block: @Sendable () -> Void) { queue.sync(block) }

  /// Runs work on the coordinator's own queue and waits for it. Inside the queue it runs at once.
  ///
  /// - Throws: what the work throws.
  @preconcurrency public final func performAndWait<Result, Failure: Error>(
    _ block: @Sendable () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try queue.sync(block)
  }

  /// Runs work on the coordinator's own queue, and suspends the caller until it is done.
  ///
  /// ```swift
  /// let places = await coordinator.perform {
  ///   coordinator.persistentStores.compactMap(\.url?.lastPathComponent)
  /// }
  /// ```
  ///
  /// - Throws: what the work throws.
  @preconcurrency nonisolated(nonsending) public final func perform<Result, Failure: Error>(
    _ block: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await queue.run(block)
  }

  private func checkConfiguration(_ name: String?) throws {
    guard let name, managedObjectModel.entities(forConfigurationName: name) == nil else { return }
    throw CocoaError.coreData(
      NSPersistentStoreInvalidTypeError,
      message: """
        the model has no configuration named \(name); its configurations are \
        \(managedObjectModel.configurations.joined(separator: ", ")).
        """
    )
  }

  /// A store of this coordinator.
  ///
  /// - Parameter use: the intended operation, in the words of the error.
  /// - Throws: `NSPersistentStoreOperationError` when it is not open here.
  final func openStore(_ store: NSPersistentStore, toBe use: String) throws -> any ObjectStore {
    if let open = openStores.first(where: { $0 === store }) { return open }
    throw StoreFailure.operation(
      "The store \(store.url?.storeName ?? "") is not open in this coordinator, and cannot be \(use).",
      file: store.url
    )
  }

  open override var description: String { ObjectHead.text(self, [("name", name)]) }
}
