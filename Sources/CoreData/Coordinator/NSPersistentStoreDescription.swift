public import Foundation

/// How a store is to be opened: of which type, where, and with which options.
///
/// Apple's documentation of `NSPersistentStoreDescription`.
open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
  /// Describes a SQLite store without an address.
  public override init() { super.init() }

  /// Describes a SQLite store.
  public convenience init(url: URL) {
    self.init()
    self.url = url
  }

  /// The type of the store; SQLite unless set.
  open var type = NSSQLiteStoreType

  /// The model's configuration that the store keeps; `nil` for all entities.
  open var configuration: String?

  /// Where the store is.
  open var url: URL?

  /// The options that the store is opened with. A store migrates by itself, and infers the mapping, unless the
  /// options are changed.
  public private(set) final var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]

  /// Sets one option, or takes it away.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Whether the store refuses saves; `false` unless set.
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption, default: false) }
    set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// How long, in seconds, the store waits for others that use it; 240 unless set.
  open var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  /// SQLite's own settings by name.
  open var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
  }

  /// Sets one of SQLite's own settings.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    setOption(NSDictionary(dictionary: pragmas), forKey: NSSQLitePragmasOption)
  }

  /// Whether the store is opened in the background; `false` unless set.
  open var shouldAddStoreAsynchronously = false

  /// Whether a store of an older model is migrated; `true` unless set.
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption, default: false) }
    set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
  }

  /// Whether the mapping for a migration is inferred where none is given; `true` unless set.
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption, default: false) }
    set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    copy.type = type
    copy.configuration = configuration
    copy.url = url
    copy.options = options
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    return copy
  }

  private func flag(_ key: String, default value: Bool) -> Bool {
    (options[key] as? NSNumber)?.boolValue ?? value
  }
}
