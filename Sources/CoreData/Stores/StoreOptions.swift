import Foundation

/// A SQLite database.
public let NSSQLiteStoreType = "SQLite"
/// A file in XML that is read and written as a whole.
public let NSXMLStoreType = "XML"
/// A binary file that is read and written as a whole.
public let NSBinaryStoreType = "Binary"
/// Objects in memory alone.
public let NSInMemoryStoreType = "InMemory"

/// The metadata key of a store's type.
public let NSStoreTypeKey = "NSStoreType"
/// The metadata key of a store's identity.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The metadata key of the version hashes of the model's entities: `[String: Data]`.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The metadata key of the model's version identifiers.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"

/// The metadata key of all version hashes together, in Base64: ``NSManagedObjectModel/versionChecksum``.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

/// The option, `true` or `false`, for a store that refuses saves.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The option for SQLite's own settings: a dictionary by name.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The option for the time, in seconds, that a SQLite store waits for other connections that use it:
/// a number, 60 unless given, and a day at most. A negative number and NaN are invalid.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The option, `true` or `false`, for bringing SQLite's statistics up to date when the store is opened: `ANALYZE`.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The option, `true` or `false`, for building the file of a SQLite store anew when it is opened: `VACUUM`.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The option for the number of connections that read a SQLite store at a time; 8 unless given.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// The option for the number of bytes by which the write-ahead log of a SQLite store may grow while
/// a query generation is pinned; 512 MiB unless given, and 0 for any number.
///
/// A pinned state of the store prevents SQLite from reusing the log:
/// <https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files>. If the log has grown by more than this limit
/// since the pin, the next save releases the state: contexts that are pinned to it get an error when they read, until
/// they are pinned again. All states are released when the log has twice that size, which happens if an application
/// always pins the next state before it releases the last one. The value is a number; for
/// ``NSPersistentStoreDescription/setOption(_:forKey:)`` an `NSNumber`.
///
/// Perennial's own: in Apple's framework a generation lives as long as it is pinned.
public let QueryGenerationLogLimitOption = "PerennialQueryGenerationLogLimit"

/// The option for the number of seconds for which a query generation may be pinned; 0 for no limit.
/// The default is 0 for a SQLite store, and 3,600 for a store in PostgreSQL, where a held state
/// prevents the server from removing row versions that have been replaced since.
///
/// The store releases a state that is older: in SQLite at the next save by this process, in
/// PostgreSQL when the age is reached. Contexts that are pinned to it get an error when they read,
/// until they are pinned again. The value is a number.
///
/// Perennial's own: in Apple's framework a generation lives as long as it is pinned.
public let QueryGenerationAgeLimitOption = "PerennialQueryGenerationAgeLimit"

/// The option for the number of query generations of a store that may be pinned at a time; 0 for no
/// limit. The default is 0 for a SQLite store, and 16 for a store in PostgreSQL, where each
/// generation has its own connection to the server.
///
/// A generation that several contexts share counts once. When a further generation is pinned, the
/// store releases the oldest: contexts that are pinned to it get an error when they read, until they
/// are pinned again. The value is a number.
///
/// Perennial's own: in Apple's framework a generation lives as long as it is pinned.
public let QueryGenerationCountLimitOption = "PerennialQueryGenerationCountLimit"
/// The option for an iOS device's protection of the store's file. It has no effect here, because
/// there is no such protection outside of iOS. Restrict the permissions of the folder instead.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// The option, `true` or `false`, for destroying a SQLite store without heed of others that use it:
/// its files are removed.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The option, `true` or `false`, for opening a store whose version hashes are not those of the model.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// The option, `true` or `false`, for keeping a history of all changes: see ``NSPersistentHistoryChangeRequest``. A
/// store that has one can only be read when it is opened without the option.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The option for how long the history of a store keeps a transaction, in seconds: a number above 0.
/// Some saves delete a limited number of older transactions afterwards, the oldest first. Without the
/// option, the history stays until a request deletes it. Perennial's own.
public let StoreHistoryLifetimeOption = "StoreHistoryLifetimeOption"
/// The option, `true` or `false`, for migrating a store of an older model.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// The option, `true` or `false`, for inferring the mapping of a migration.
///
/// ```swift
/// let options = [
///   NSMigratePersistentStoresAutomaticallyOption: true,
///   NSInferMappingModelAutomaticallyOption: true,
/// ]
/// let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
/// ```
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The option, `true` or `false`, for migrating a store whose model is found in the store alone also
/// where the migration loses entities, properties or values of it. Such a store may be one of a later
/// program, and is refused otherwise, with `NSMigrationMissingSourceModelError`.
///
/// Apple has no such option; `Migration.md` describes the migrations that need it.
public let NSPersistentStoreAllowsDowngradeOption = "NSPersistentStoreAllowsDowngradeOption"
/// The option for the ``NSStagedMigrationManager`` that brings a store of an older model up to date.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// The option, `true` or `false`, to postpone the slow steps of a lightweight migration; and the metadata key, `true`
/// while such steps remain. ``NSPersistentStoreCoordinator/finishDeferredLightweightMigration()`` carries them out.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"

@available(*, unavailable, message: "leave it out: XML stores are always checked when they are opened")
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"

/// The option for the classes that a binary store may contain. It has no effect here: binary stores
/// are read without the classes of their values.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"

/// The option to read a binary store with objects of any class. It has no effect here: binary stores
/// are read without the classes of their values.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"

@available(*, unavailable, message: "leave it out: stores do not tell the versions of systems that may open them")
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"

/// A place of a store: where it is, and how it is opened.
package struct StoreDescriptor {
  package let url: URL
  let type: String
  package let options: [AnyHashable: Any]?

  package init(url: URL, type: String, options: [AnyHashable: Any]?) {
    self.url = url
    self.type = type
    self.options = options
  }

  /// The options without those that would migrate the store on the way.
  var plainOptions: [AnyHashable: Any] {
    (options ?? [:]).filter { key, _ in
      ![
        NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
        NSPersistentStoreStagedMigrationManagerOptionKey,
        NSPersistentStoreDeferredLightweightMigrationOptionKey,
      ].contains(key as? String)
    }
  }

  /// Creates the object of the store, without opening the store.
  package func makeStore<Store: ObjectStore>(
    of storeClass: Store.Type,
    in coordinator: NSPersistentStoreCoordinator,
    configuration: String? = nil
  ) -> Store {
    storeClass.init(_addedTo: coordinator, configurationName: configuration, at: url, options: options)
  }
}
