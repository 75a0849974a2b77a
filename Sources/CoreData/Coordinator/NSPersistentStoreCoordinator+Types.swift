public import Foundation

extension NSPersistentStore {
  /// A type of store.
  public struct StoreType: Hashable, Sendable {
    public let rawValue: String

    /// The type of a store class that is registered under a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A SQLite database.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// Objects in memory alone.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }
}

extension NSPersistentStoreCoordinator {
  /// Opens a store, which is made if there is none yet, and adds it.
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

  /// Opens the store that a description tells of, at once or in the background.
  ///
  /// - Parameter block: called when the store is open, or with the error that kept it from being.
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
      perform(work.value)
    } else {
      work.value()
    }
  }

  /// Removes the store at a place with everything that belongs to it.
  ///
  /// - Throws: what ``destroyPersistentStore(at:ofType:options:)`` throws.
  public final func destroyPersistentStore(
    at url: URL,
    type: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
  }

  /// Replaces what is known of the store at a place, which is not opened for it.
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

  /// What is known of the store at a place, which is not opened for it.
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
