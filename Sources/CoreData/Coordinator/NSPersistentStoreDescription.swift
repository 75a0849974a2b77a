public import Foundation
import Synchronization

/// A description of a store that is to be opened: its type, its place and its options.
///
/// ```swift
/// let file = folder.appendingPathComponent("Notes.sqlite")
/// let description = NSPersistentStoreDescription(url: file)
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// container.persistentStoreDescriptions = [description]
/// container.loadPersistentStores { description, error in
///   if let error { print("\(description.url?.path ?? ""): \(error)") }
/// }
/// ```
///
/// Apple's documentation of `NSPersistentStoreDescription`.
// One lock protects all of its state.
open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
  /// Describes a SQLite store at `/dev/null`, which is one in memory. Set ``url`` for another place.
  ///
  /// ```swift
  /// let memory = NSPersistentStoreDescription()
  /// print(memory.type, memory.url?.path ?? "")  // SQLite /dev/null
  /// ```
  public override init() { super.init() }

  /// Describes a SQLite store.
  public convenience init(url: URL) {
    self.init()
    self.url = url
  }

  /// Locked as a whole: a coordinator reads the description in the background where it is asked to.
  private struct State: @unchecked Sendable {
    var type = NSSQLiteStoreType
    var configuration: String?
    var url: URL? = StoreFile.nowhere
    /// The values are numbers, texts and collections of them, which no code changes.
    var options: [String: NSObject] = [
      NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
      NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]
    var isAddedAsynchronously = false
    /// Immutable.
    var cloudKit: NSPersistentCloudKitContainerOptions?
  }

  private final let state = Mutex(State())

  /// The type of the store; SQLite unless set.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.xml"))
  /// description.type = NSXMLStoreType
  /// ```
  open var type: String {
    get { state.withLock { $0.type } }
    set { state.withLock { $0.type = newValue } }
  }

  /// The model's configuration that the store keeps; `nil` for all entities.
  open var configuration: String? {
    get { state.withLock { $0.configuration } }
    set { state.withLock { $0.configuration = newValue } }
  }

  /// The URL of the store; `/dev/null`, a store in memory, unless set.
  open var url: URL? {
    get { state.withLock { $0.url } }
    set { state.withLock { $0.url = newValue } }
  }

  /// The options that the store is opened with. Unless the options are changed, the store migrates
  /// automatically and infers the mapping.
  public final var options: [String: NSObject] {
    state.withLock { UncheckedSendable($0.options) }.value
  }

  /// Sets one option, or takes it away.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
  /// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  /// description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
  /// ```
  open func setOption(_ option: NSObject?, forKey key: String) {
    let option = UncheckedSendable(option)
    state.withLock { $0.options[key] = option.value }
  }

  /// A Boolean value that is true when the store refuses saves; `false` unless set.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: file)
  /// description.isReadOnly = true
  /// ```
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption, default: false) }
    set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// The time, in seconds, that a SQLite store waits for other connections' locks: `NSPersistentStoreTimeoutOption`.
  ///
  /// 60 unless set, which is what a store waits that is opened without the option; 240 in Apple's documentation. A
  /// store waits for a day at most, and not at all for a time that is negative or no number.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
  /// description.timeout = 5
  /// ```
  open var timeout: TimeInterval {
    get {
      (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? StoreTimeout.standard
    }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  /// SQLite's own settings by name.
  open var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
  }

  /// Sets one of SQLite's own settings.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
  /// description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
  /// ```
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    let value = UncheckedSendable(value)
    state.withLock { state in
      var pragmas = (state.options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
      pragmas[name] = value.value
      state.options[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
    }
  }

  /// A Boolean value that is true when the store is opened in the background; `false` unless set.
  open var shouldAddStoreAsynchronously: Bool {
    get { state.withLock { $0.isAddedAsynchronously } }
    set { state.withLock { $0.isAddedAsynchronously = newValue } }
  }

  /// The CloudKit container that mirrors the store, for an ``NSPersistentCloudKitContainer``; `nil` unless set.
  open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions? {
    get { state.withLock { UncheckedSendable($0.cloudKit) }.value }
    set {
      let options = UncheckedSendable(newValue)
      state.withLock { $0.cloudKit = options.value }
    }
  }

  /// A Boolean value that is true when a store of an older model is migrated; `true` unless set.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
  /// description.shouldMigrateStoreAutomatically = false
  /// ```
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption, default: false) }
    set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
  }

  /// A Boolean value that is true when the mapping for a migration is inferred where none is given; `true` unless set.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: url)
  /// description.shouldInferMappingModelAutomatically = false
  /// container.persistentStoreDescriptions = [description]
  /// container.loadPersistentStores { _, error in
  ///   if let error { show("there is no mapping model for this: \(error.localizedDescription)") }
  /// }
  /// ```
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption, default: false) }
    set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
  }

  /// Descriptions are equal when they describe the same store with the same options.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    if self === other { return true }
    let (own, others) = (state.withLock { $0 }, other.state.withLock { $0 })
    return own.type == others.type && own.configuration == others.configuration && own.url == others.url
      && own.options == others.options && own.isAddedAsynchronously == others.isAddedAsynchronously
      && own.cloudKit == others.cloudKit
  }

  open override var hash: Int {
    let own = state.withLock { $0 }
    var hasher = Hasher()
    hasher.combine(own.type)
    hasher.combine(own.configuration)
    hasher.combine(own.url)
    return hasher.finalize()
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    let own = state.withLock { $0 }
    copy.state.withLock { $0 = own }
    return copy
  }

  private func flag(_ key: String, default value: Bool) -> Bool { (options[key] as? NSNumber)?.boolValue ?? value }

  open override var description: String { describe() }
}

extension NSPersistentStoreDescription {
  final func describe() -> String { "\(ObjectHead.text(self)) (type: \(type), url: \((url?.absoluteString).orNull))" }
}
