public import Foundation
import Synchronization

/// A collection of stored objects: the superclass of all stores.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistentstore>.
// Locks guard the values that change after the store was opened. The index is set once, before the coordinator shares
// the store with other threads. Subclasses are responsible for the properties that they add.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  /// The coordinator that the store belongs to.
  public private(set) final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { place.withLock { $0.coordinator } }
    set { place.withLock { $0.coordinator = newValue } }
  }

  /// The name of the model's configuration whose entities the store keeps; `"PF_DEFAULT_CONFIGURATION_NAME"` for all.
  public final let configurationName: String

  /// The options that the store was opened with.
  public final let options: [AnyHashable: Any]?

  /// The URL of the store. The URL of a store in memory does not name a file.
  open var url: URL? {
    get { place.withLock { $0.url } }
    set { place.withLock { $0.url = newValue } }
  }

  /// A Boolean value that is true when the store refuses saves.
  open var isReadOnly: Bool {
    get { place.withLock { $0.isReadOnly } }
    set { place.withLock { $0.isReadOnly = newValue } }
  }

  /// The store's identity, kept in its metadata under `NSStoreUUIDKey`.
  open var identifier: String! {
    get { place.withLock { $0.identifier } }
    set { place.withLock { $0.identifier = newValue } }
  }

  /// The state that contexts on several threads ask for while the store is opened elsewhere, or removed.
  private struct Place: Sendable {
    var url: URL?
    var isReadOnly: Bool
    var identifier: String?
    weak var coordinator: NSPersistentStoreCoordinator?
  }

  private final let place: Mutex<Place>

  /// The store's place in its coordinator, part of every reference to its objects.
  package final var index: Int32 = ObjectReference.noStore

  /// Saves of contexts on several threads ask for it at once.
  private final let ownMetadata = Mutex(OwnMetadata())

  // The lock of `ownMetadata` protects it. The values are those of property lists, which no code changes after they are set.
  private struct OwnMetadata: @unchecked Sendable {
    var values: [String: Any] = [:]
    var isUnsaved = false
  }

  /// True when metadata that this class keeps wait for the next save.
  final var hasUnsavedOwnMetadata: Bool { ownMetadata.withLock { $0.isUnsaved } }

  /// Runs a save that writes the current metadata. Keys that are set during the save wait for the
  /// next one. If this save fails, all keys wait for the next one.
  ///
  /// - Throws: the errors of the save.
  final func savingOwnMetadata(_ save: () throws -> CommitOutcome) throws -> CommitOutcome {
    let wereUnsaved = ownMetadata.withLock { metadata in
      defer { metadata.isUnsaved = false }
      return metadata.isUnsaved
    }
    var areSaved = false
    defer { if wereUnsaved, !areSaved { ownMetadata.withLock { $0.isUnsaved = true } } }
    let outcome = try save()
    if case .saved = outcome { areSaved = true }
    return outcome
  }

  /// Called after a store was opened, when its metadata equal the stored ones.
  final func metadataWereLoaded() { ownMetadata.withLock { $0.isUnsaved = false } }

  /// Makes a store without opening it; the coordinator then asks for its metadata.
  public init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
    configurationName name: String?,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    configurationName = name ?? NSManagedObjectModel.defaultConfigurationName
    self.options = options
    place = Mutex(
      Place(url: url, isReadOnly: (options?[NSReadOnlyPersistentStoreOption] as? Bool) ?? false, coordinator: root)
    )
    super.init()
  }

  /// Makes a store of a class that is known at run time only. Called by coordinators alone.
  public required convenience init(
    _addedTo coordinator: NSPersistentStoreCoordinator,
    configurationName name: String?,
    at url: URL,
    options: [AnyHashable: Any]?
  ) {
    self.init(persistentStoreCoordinator: coordinator, configurationName: name, at: url, options: options)
  }

  /// The type, one of the store type constants or the name that a store class is registered under.
  open var type: String { String(describing: Swift.type(of: self)) }

  /// The metadata of the store: its type, its identity, the version hashes of its model, and keys
  /// of the application. They are stored with the next save.
  open var metadata: [String: Any]! {
    get { ownMetadata.withLock { $0 }.values }
    set {
      let new = OwnMetadata(values: newValue ?? [:], isUnsaved: true)
      ownMetadata.withLock { $0 = new }
    }
  }

  /// Opens the store and reads its metadata.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when the store cannot be opened.
  open func loadMetadata() throws { fatalError("\(Swift.type(of: self)) must override loadMetadata().") }

  /// Returns the metadata of the store at a place, without adding it to a coordinator. Subclasses must override it.
  ///
  /// - Throws: an error of the subclass when there is no such store.
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    fatalError("\(self) must override metadataForPersistentStore(with:).")
  }

  /// Replaces the metadata of the store at a place, without adding it to a coordinator. Subclasses must override it.
  ///
  /// - Throws: an error of the subclass when the metadata cannot be written.
  open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    fatalError("\(self) must override setMetadata(_:forPersistentStoreAt:).")
  }

  /// Called when the store has been added to a coordinator.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) { persistentStoreCoordinator = coordinator }

  /// Called before the store is removed from its coordinator.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) { persistentStoreCoordinator = nil }

  open override var description: String { describe() }
}

extension NSPersistentStore {
  /// `<SQLiteStore: 0x…> (URL: file:///…)`; Apple's store classes have other names.
  final func describe() -> String { ObjectHead.text(self, [("URL", (url?.absoluteString).orNull)]) }
}
