import CoreData
import Files
import Foundation

/// A SQLite store that a command has opened.
struct OpenedStore {
  let path: String
  let model: NSManagedObjectModel
  let coordinator: NSPersistentStoreCoordinator
  private let store: NSPersistentStore
  private let wasCreated: Bool

  /// Opens a store to be written, and makes it when it is not there.
  init(writing path: String, model: NSManagedObjectModel) throws {
    self.path = path
    self.model = model
    wasCreated = FileKind(at: path) == .nothing
    try Self.checkFolder(of: path, isCreating: wasCreated)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      store = try Self.openToWrite(path, in: coordinator)
    } catch {
      if wasCreated { Self.remove(path, coordinator) }
      throw error
    }
  }

  /// Opens a store to be read for the time of some work: with the given model, the one that is
  /// found beside it, the one in it, or what its tables tell of its model.
  ///
  /// It is closed after a failure too: the log beside a store goes with its last connection.
  ///
  /// - Parameter needsWholeModel: true when the model that the tables tell is not enough.
  static func reading<Value>(
    _ path: String,
    model: String?,
    needsWholeModel: Bool = false,
    _ work: (OpenedStore) throws -> Value
  ) throws -> Value {
    let opened = try OpenedStore(reading: path, model: model, needsWholeModel: needsWholeModel)
    let value: Value
    do {
      value = try work(opened)
    } catch {
      try? opened.close()
      throw error
    }
    try opened.close()
    return value
  }

  private init(reading path: String, model modelPath: String?, needsWholeModel: Bool) throws {
    self.path = path
    wasCreated = false
    let metadata = try ClosedStore.metadata(of: path)
    var options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
    if let modelPath {
      guard let model = try ModelFile(modelPath).model(of: metadata) else { throw Self.otherModel(path) }
      self.model = model
    } else if let model = ModelSearch.beside(path, metadata: metadata)?.model
      ?? CachedModel.read(path, metadata)
    {
      self.model = model
    } else if !needsWholeModel, let model = CachedModel.reduced(path) {
      self.model = model
      options[NSIgnorePersistentStoreVersioningOption] = true
    } else {
      throw CommandFailure(
        path,
        "no model of this store lies beside it or in it",
        remedy: "give one with --model"
      )
    }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    store = try Self.open(path, in: coordinator, options: options, type: StoreFileType(of: path))
  }

  /// Brings all objects into a new store, and closes both. This store's files stay as they are.
  func copy(to target: String, type: String) throws {
    let url = URL(fileURLWithPath: target)
    try coordinator.remove(
      try coordinator.migratePersistentStore(store, to: url, options: nil, withType: type)
    )
  }

  /// Closes the store, unless it was closed with its copy.
  func close() throws {
    if coordinator.persistentStores.contains(store) { try coordinator.remove(store) }
  }

  /// Closes the store, and makes its file as small and as ready to be read as it can be: built
  /// anew, analysed, and without a journal that needs a folder that can be written.
  ///
  /// - Parameter identifier: the UUID by which the store is known from now on, in place of the one
  ///   that it was given when it was made; nil to leave that.
  func closeCompactly(as identifier: UUID? = nil) throws {
    try close()
    if let identifier { try setIdentifier(identifier) }
    let options: [AnyHashable: Any] = [
      NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true,
      NSSQLitePragmasOption: ["journal_mode": "DELETE"],
    ]
    try coordinator.remove(try Self.open(path, in: coordinator, options: options))
  }

  private func setIdentifier(_ identifier: UUID) throws {
    var metadata = try ClosedStore.metadata(of: path)
    metadata[NSStoreUUIDKey] = identifier.uuidString
    do {
      try NSPersistentStoreCoordinator.setMetadata(
        metadata,
        forPersistentStoreOfType: NSSQLiteStoreType,
        at: URL(fileURLWithPath: path),
        options: nil
      )
    } catch {
      throw ClosedStore.failure(path, error)
    }
  }

  /// Closes the store after a failure. One that was not there before is not there afterwards
  /// either.
  func abandon() {
    try? coordinator.remove(store)
    if wasCreated { Self.remove(path, coordinator) }
  }

  /// A store that keeps a history is to be written by one that goes on with it.
  private static func openToWrite(
    _ path: String,
    in coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    let store = try open(path, in: coordinator, options: nil)
    if coordinator.currentPersistentHistoryToken(fromStores: [store]) == nil { return store }
    try coordinator.remove(store)
    return try open(path, in: coordinator, options: StoreHistory.tracking)
  }

  private static func open(
    _ path: String,
    in coordinator: NSPersistentStoreCoordinator,
    options: [AnyHashable: Any]?,
    type: StoreFileType = .sqlite
  ) throws -> NSPersistentStore {
    do {
      return try coordinator.addPersistentStore(
        ofType: type.storeType,
        configurationName: nil,
        at: URL(fileURLWithPath: path),
        options: options
      )
    } catch {
      throw failure(path, error)
    }
  }

  private static func failure(_ path: String, _ error: any Error) -> CommandFailure {
    let code = (error as NSError).code
    if code == NSPersistentStoreIncompatibleVersionHashError { return otherModel(path) }
    return ClosedStore.failure(path, error)
  }

  private static func otherModel(_ path: String) -> CommandFailure {
    CommandFailure(
      path,
      "the store was made with another model",
      remedy: "give the model that it was made with"
    )
  }

  /// Looks for what would stop a store from being written, to say it in plainer words than Core
  /// Data can.
  static func checkFolder(of path: String, isCreating: Bool) throws {
    let files = FileManager.default
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    if !isCreating, files.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
      throw CommandFailure(path, "this is a folder", remedy: "give the path of a store in it")
    }
    guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandFailure(path, "there is no folder \(folder)", remedy: "make it first")
    }
    // SQLite makes its journal beside the store, so that a folder has to be writable for an old
    // store too.
    guard files.isWritableFile(atPath: folder), isCreating || files.isWritableFile(atPath: url.path) else {
      throw CommandFailure(
        path,
        "the store or its folder is read-only",
        remedy: "give a folder that can be written"
      )
    }
  }

  private static func remove(_ path: String, _ coordinator: NSPersistentStoreCoordinator) {
    let url = URL(fileURLWithPath: path)
    try? coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
    // Apple's framework leaves an empty database behind.
    for suffix in ["", "-wal", "-shm"] { _ = try? FilePlacing.removeFile(path + suffix) }
  }
}

/// The history that a store keeps of its changes.
enum StoreHistory {
  /// The options that go on with a history, or begin one.
  static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

  /// Returns true when a store has a history.
  ///
  /// - Parameter model: the model that the store was made with.
  static func isRecorded(by store: URL, model: NSManagedObjectModel) throws -> Bool {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: store,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    defer { try? coordinator.remove(opened) }
    return coordinator.currentPersistentHistoryToken(fromStores: [opened]) != nil
  }
}
