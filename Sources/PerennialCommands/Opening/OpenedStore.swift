import CoreData
import Files
import Foundation

/// A store that a command has opened.
struct OpenedStore {
  let location: StoreLocation
  let model: NSManagedObjectModel
  let coordinator: NSPersistentStoreCoordinator
  private let store: NSPersistentStore
  /// True when no model of the store was found, so that its tables provided one.
  private(set) var isOfTablesAlone = false
  /// True when this command made the file or the schema, and removes it after a failure.
  private let wasCreated: Bool
  private let options: [String: any Sendable]

  /// Opens a store for writing, and makes it if it does not exist.
  ///
  /// - Parameter options: the store options, which limit the wait for other programs.
  init(writing location: StoreLocation, model: NSManagedObjectModel, options: [String: any Sendable] = [:])
    throws
  {
    self.location = location
    self.model = model
    self.options = options
    try location.check()
    if location.isOnServer {
      wasCreated = try !location.isTaken(options: options)
    } else {
      try Self.checkFolder(of: location, isCreating: FileKind(at: location.url.path) == .nothing)
      wasCreated = Self.createFile(location)
    }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      store = try Self.openToWrite(location, in: coordinator, options: options)
    } catch {
      if wasCreated { Self.remove(location, after: error, options: options) }
      throw error
    }
  }

  /// Creates an empty file, which SQLite treats as a new database. The creation is atomic: if several commands
  /// make a store at once, only one of them succeeds here.
  ///
  /// - Returns: false where something exists already, and where no file can be created. Opening the store
  ///   then reports the error.
  private static func createFile(_ location: StoreLocation) -> Bool {
    (try? Descriptor(path: location.url.path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o644)) != nil
  }

  /// Opens a store for reading while some work runs: with the given model, the one next to the store, the
  /// one in it, or the one that its tables show.
  ///
  /// The store is also closed after a failure. Files that SQLite left next to it for reading are removed.
  ///
  /// - Parameters:
  ///   - needsWholeModel: true when the model from the tables is not enough.
  ///   - options: the store options, which limit the wait for other programs.
  static func reading<Value>(
    _ location: StoreLocation,
    model: String?,
    needsWholeModel: Bool = false,
    options: [String: any Sendable] = [:],
    _ work: (OpenedStore) throws -> Value
  ) throws -> Value {
    try location.withoutReadTraces {
      let opened = try OpenedStore(
        existing: location,
        modelPath: model,
        needsWholeModel: needsWholeModel,
        given: options
      )
      return try opened.closing(after: work)
    }
  }

  /// Opens an existing store for writing while some work runs: with the given model, the one next to the
  /// store, or the one in it.
  ///
  /// - Parameter options: the options of the store.
  /// - Throws: a `CommandFailure` with the reason when the store is read-only.
  static func writing<Value>(
    existing location: StoreLocation,
    model: String?,
    options: [String: any Sendable] = [:],
    _ work: (OpenedStore) throws -> Value
  ) throws -> Value {
    let opened = try OpenedStore(
      existing: location,
      modelPath: model,
      needsWholeModel: true,
      isWritten: true,
      given: options
    )
    return try opened.closing(after: { opened in
      guard !opened.store.isReadOnly else {
        throw CommandFailure(
          store: location,
          problem: "the store can only be read",
          remedy: "browse it without --write"
        )
      }
      return try work(opened)
    })
  }

  private func closing<Value>(after work: (OpenedStore) throws -> Value) throws -> Value {
    let value: Value
    do {
      value = try work(self)
    } catch {
      try? close()
      throw error
    }
    try close()
    return value
  }

  private init(
    existing location: StoreLocation,
    modelPath: String?,
    needsWholeModel: Bool,
    isWritten: Bool = false,
    given: [String: any Sendable]
  ) throws {
    self.location = location
    wasCreated = false
    let metadata = try ClosedStore.metadata(of: location, options: given)
    if isWritten, !location.isOnServer { try Self.checkFolder(of: location, isCreating: false) }
    var options = given
    if !isWritten { options[NSReadOnlyPersistentStoreOption] = true }
    if let modelPath {
      guard let model = try ModelFile(modelPath).model(of: metadata) else { throw Self.otherModel(location) }
      self.model = model
    } else if let model = ModelSearch.adjacent(to: location, metadata: metadata)?.model
      ?? CachedModel.read(location, options: given, metadata: metadata)
    {
      self.model = model
    } else if !needsWholeModel, let model = CachedModel.reduced(location) {
      self.model = model
      isOfTablesAlone = true
      options[NSIgnorePersistentStoreVersioningOption] = true
    } else {
      throw CommandFailure(
        store: location,
        problem: "there is no model of this store in its folder or in it",
        remedy: "give one with --model"
      )
    }
    self.options = options
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    store =
      isWritten
      ? try Self.openToWrite(location, in: coordinator, options: options)
      : try Self.open(location, in: coordinator, options: options)
  }

  /// Copies all objects into a new store, and closes both stores. This store's files stay as they are.
  ///
  /// - Parameters:
  ///   - options: the options of the new store.
  ///   - keepsHistory: false when the copy begins a history of its own instead of taking over this store's.
  func copy(
    to target: StoreLocation,
    type: String,
    options: [AnyHashable: Any],
    keepsHistory: Bool = true
  ) throws {
    #if !canImport(Darwin)
      // This copy does not report object IDs, as migrating does. A million of them take much memory.
      let isCopied = try coordinator.copy(
        store,
        to: target.url,
        options: options,
        type: type,
        keepsHistory: keepsHistory
      )
      if isCopied { return }
    #endif
    try coordinator.remove(try coordinator.migratePersistentStore(store, to: target.url, options: nil, withType: type))
  }

  /// Checks that a server hides no row of the store. Commands call it that treat what they read as complete.
  func requireAllRows() throws {
    #if !canImport(Darwin)
      do {
        try coordinator.requireAllRows()
      } catch {
        throw ClosedStore.failure(location, error: error)
      }
    #endif
  }

  /// Closes the store, unless copying has already closed it.
  func close() throws {
    if coordinator.persistentStores.contains(store) { try coordinator.remove(store) }
  }

  /// Closes the store, and makes its file small and quick to read: rebuilt, analyzed, and without a journal
  /// for which the folder would have to be writable.
  ///
  /// - Parameter identifier: the store's new UUID, which replaces the one that it got when it was made;
  ///   nil to keep that one.
  func closeCompactly(as identifier: UUID? = nil) throws {
    try close()
    if let identifier { try setIdentifier(identifier) }
    let compacting: [String: any Sendable] = [
      NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true,
      NSSQLitePragmasOption: ["journal_mode": "DELETE"],
    ]
    let options = options.merging(compacting) { $1 }
    try coordinator.remove(try Self.open(location, in: coordinator, options: options))
  }

  private func setIdentifier(_ identifier: UUID) throws {
    var metadata = try ClosedStore.metadata(of: location, options: options)
    metadata[NSStoreUUIDKey] = identifier.uuidString
    do {
      try NSPersistentStoreCoordinator.setMetadata(
        metadata,
        forPersistentStoreOfType: location.storeType,
        at: location.url,
        options: options
      )
    } catch {
      throw ClosedStore.failure(location, error: error)
    }
  }

  /// Closes the store after a failure. A store that this command made is removed, unless something was saved in it.
  func abandon(after error: any Error) {
    try? coordinator.remove(store)
    if wasCreated { Self.remove(location, after: error, options: options) }
  }

  /// Opens a store for writing. If it keeps a history, it is opened with the options that continue it.
  private static func openToWrite(
    _ location: StoreLocation,
    in coordinator: NSPersistentStoreCoordinator,
    options: [AnyHashable: Any]
  ) throws -> NSPersistentStore {
    let store = try open(location, in: coordinator, options: options)
    if coordinator.currentPersistentHistoryToken(fromStores: [store]) == nil { return store }
    try coordinator.remove(store)
    return try open(location, in: coordinator, options: options.merging(StoreHistory.tracking) { $1 })
  }

  private static func open(
    _ location: StoreLocation,
    in coordinator: NSPersistentStoreCoordinator,
    options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    do {
      return try coordinator.addPersistentStore(
        ofType: location.storeType,
        configurationName: nil,
        at: location.url,
        options: options
      )
    } catch {
      throw failure(location, error: error)
    }
  }

  private static func failure(_ location: StoreLocation, error: any Error) -> CommandFailure {
    let code = (error as NSError).code
    if code == NSPersistentStoreIncompatibleVersionHashError { return otherModel(location) }
    return ClosedStore.failure(location, error: error)
  }

  private static func otherModel(_ location: StoreLocation) -> CommandFailure {
    CommandFailure(
      store: location,
      problem: "the store was made with another model",
      remedy: "give the model that it was made with, or bring the store to this one by perennial migrate"
    )
  }

  /// Checks for conditions that prevent writing a store, because Core Data's own messages are less clear.
  static func checkFolder(of location: StoreLocation, isCreating: Bool) throws {
    let files = FileManager.default
    let (url, path) = (location.url, location.description)
    let folder = url.deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    if !isCreating, files.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
      throw CommandFailure(file: path, problem: "this is a folder", remedy: "give the path of a store in it")
    }
    guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandFailure(file: path, problem: "there is no folder \(folder)", remedy: "make it first")
    }
    // SQLite creates its journal next to the store, so the folder of an existing store has to be writable too.
    guard files.isWritableFile(atPath: folder), isCreating || files.isWritableFile(atPath: url.path) else {
      throw CommandFailure(
        file: path,
        problem: "the store or its folder is read-only",
        remedy: "give a folder that can be written"
      )
    }
  }

  /// Removes the store that the command has made, unless another program writes it or has saved in it. A
  /// file that cannot be removed stays.
  private static func remove(_ location: StoreLocation, after error: any Error, options: [AnyHashable: Any]) {
    if StoreWait.timeout(in: error) != nil { return }
    _ = try? StoreInspection.removeUnused(ofType: location.storeType, at: location.url, options: options)
  }
}

/// The history that a store keeps of its changes.
enum StoreHistory {
  /// The options that continue a history, or begin one.
  static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

  /// Returns true when a store records a history.
  ///
  /// - Parameters:
  ///   - model: the model that the store was made with.
  ///   - options: the store options, which limit the wait for other programs.
  static func isRecorded(
    by store: StoreLocation,
    model: NSManagedObjectModel,
    options: [AnyHashable: Any]
  ) throws -> Bool {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      ofType: store.storeType,
      configurationName: nil,
      at: store.url,
      options: options.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
    )
    defer { try? coordinator.remove(opened) }
    return coordinator.currentPersistentHistoryToken(fromStores: [opened]) != nil
  }
}
