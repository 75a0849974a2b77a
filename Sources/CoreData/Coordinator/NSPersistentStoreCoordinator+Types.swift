public import Foundation

extension NSPersistentStore {
  /// A type of store.
  public struct StoreType: Hashable, Sendable {
    /// The name of the type, as store descriptions and the metadata of stores have it.
    public let rawValue: String

    /// The type of a store class that is registered under a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A SQLite database.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// A file in XML that is read and written as a whole.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
    /// A binary file that is read and written as a whole.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
    /// Objects in memory alone.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    /// A database of PostgreSQL, which several machines share. It takes the product `CoreDataPostgreSQL`.
    public static let postgreSQL = StoreType(rawValue: NSPostgreSQLStoreType)
  }
}

extension NSPersistentStoreCoordinator {
  /// The classes of stores by the names of their types.
  public final class var registeredStoreTypes: [String: NSPersistentStore.Type] {
    StoreTypes.all.mapValues { $0 }
  }

  /// Makes a store class known by the name of a type, or takes the type away.
  ///
  /// - Parameters:
  ///   - storeClass: a subclass of `NSAtomicStore` or `NSIncrementalStore`, or `nil`, which takes
  ///     the type away; any other stops the program.
  ///   - storeType: the name of the type, which is the `type` of a store description.
  public final class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
    guard let storeClass else { return StoreTypes.register(nil, as: storeType) }
    guard let known = storeClass as? any ObjectStore.Type else {
      fatalError("\(storeClass) is not a class of stores; make it a subclass of NSAtomicStore or NSIncrementalStore.")
    }
    StoreTypes.register(known, as: storeType)
  }

  /// Makes a store class known as a type.
  ///
  /// - Parameters:
  ///   - storeClass: what ``registerStoreClass(_:forStoreType:)`` takes.
  ///   - type: the type whose stores are of the class.
  public final class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
    registerStoreClass(storeClass, forStoreType: type.rawValue)
  }

  /// Opens a store, which is made if there is none yet, and adds it.
  ///
  /// ```swift
  /// let scratch = try coordinator.addPersistentStore(type: .inMemory)
  /// print(coordinator.persistentStores.count)  // 2
  /// ```
  ///
  /// - Throws: what ``addPersistentStore(ofType:configurationName:at:options:)`` throws.
  @discardableResult
  public final func addPersistentStore(
    type: NSPersistentStore.StoreType,
    configuration: String? = nil,
    at url: URL? = nil,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue,
      configurationName: configuration,
      at: url,
      options: options
    )
  }

  /// Opens the store of a description, at once or in the background.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Archive.sqlite"))
  /// description.isReadOnly = false
  /// coordinator.addPersistentStore(with: description) { description, error in
  ///   print(error?.localizedDescription ?? "\(description.url?.lastPathComponent ?? "") is open")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - storeDescription: the place, the type and the options of the store.
  ///   - block: called when the store is open, or with the error that kept it from being.
  public final func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let work = UncheckedSendable {
      do {
        try self.addPersistentStore(
          ofType: storeDescription.type,
          configurationName: storeDescription.configuration,
          at: storeDescription.url,
          options: storeDescription.options
        )
        block(storeDescription, nil)
      } catch {
        block(storeDescription, error)
      }
    }
    if storeDescription.shouldAddStoreAsynchronously {
      perform { work.value() }
    } else {
      work.value()
    }
  }

  /// Removes the store at a place with everything that belongs to it.
  ///
  /// ```swift
  /// let url = folder.appendingPathComponent("Cache.sqlite")
  /// let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
  /// try coordinator.remove(store)
  /// try coordinator.destroyPersistentStore(at: url, type: .sqlite)
  /// ```
  ///
  /// - Throws: what ``destroyPersistentStore(at:ofType:options:)`` throws.
  public final func destroyPersistentStore(
    at url: URL,
    type: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
  }

  /// Replaces the metadata of the store at a place, which is not opened for it.
  ///
  /// - Throws: what ``setMetadata(_:forPersistentStoreOfType:at:options:)`` throws.
  public final class func setMetadata(
    _ metadata: [String: Any]?,
    type: NSPersistentStore.StoreType,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
  }

  @available(*, unavailable, message: "use metadataForPersistentStore(ofType:at:options:)")
  public class func metadataForPersistentStore(with url: URL) throws -> [String: Any] { [:] }

  @available(*, unavailable, message: "a coordinator may be used on any thread; use perform(_:) for several steps")
  public final func lock() {}

  @available(*, unavailable, message: "a coordinator may be used on any thread; use perform(_:) for several steps")
  public final func unlock() {}

  @available(*, unavailable, message: "a coordinator may be used on any thread; use perform(_:) for several steps")
  public final func tryLock() -> Bool { false }

  /// Returns the metadata of the store at a place, which is not opened for it.
  ///
  /// ```swift
  /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
  /// if !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
  ///   print("the store was made with another version of the model")
  /// }
  /// ```
  ///
  /// - Throws: what ``metadataForPersistentStore(ofType:at:options:)`` throws.
  public final class func metadataForPersistentStore(
    type: NSPersistentStore.StoreType,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
  }
}
