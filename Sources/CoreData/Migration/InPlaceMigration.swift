import Files
import Foundation

/// Brings a store to another model where it is: the old content is there, or the new one, and nothing that others commit
/// meanwhile is lost.
package struct InPlaceMigration {
  private let place: StorePlace
  private let source: NSManagedObjectModel
  private let destination: NSManagedObjectModel
  private let configuration: String?

  init(
    _ place: StorePlace,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel,
    configuration: String?
  ) {
    self.place = place
    self.source = source
    self.destination = destination
    self.configuration = configuration
  }

  /// - Parameters:
  ///   - file: a SQLite store.
  ///   - source: the model that it was made with.
  ///   - options: how the migrated store is opened.
  package init(
    sqlite file: URL,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel,
    options: [AnyHashable: Any]?
  ) {
    self.init(
      StorePlace(url: file, type: NSSQLiteStoreType, options: options),
      from: source,
      to: destination,
      configuration: nil
    )
  }

  /// Migrates the store: by statements in one transaction where the mapping is inferred, else object by object.
  package func run(_ mapping: NSMappingModel) throws {
    let log = MigrationLog(place.url)
    let isInDatabase = place.type == NSSQLiteStoreType && mapping.isInferred
    log.note(
      isInDatabase
        ? "it goes by statements, in one transaction"
        : "it goes object by object, into a store beside this one"
    )
    defer { log.note("the migration has ended") }
    guard place.type == NSSQLiteStoreType else { return try migrateFile(mapping) }
    if mapping.isInferred {
      try SQLiteMigration(
        file: place.url,
        source: source,
        destination: destination,
        configuration: configuration,
        options: place.options
      )
      .run()
    } else {
      try migrateDatabase(mapping)
    }
  }

  /// Makes the new store beside the old one, which nobody writes meanwhile, and then puts it into its file.
  private func migrateDatabase(_ mapping: NSMappingModel) throws {
    try SQLiteFile(place.url).checkPlace(mustExist: true, isWritten: true)
    let new = SQLiteFile(place.url).temporaryPlace
    defer { try? new.remove() }
    let timeout = SQLiteStoreOpening.timeout(in: place.options)
    try SQLiteReplacement(file: place.url, timeout: timeout).run(with: new.url) {
      // Another process may have been quicker.
      if try isMigrated() { return false }
      try migrate(to: new.url, mapping)
      return true
    }
  }

  private func isMigrated() throws -> Bool {
    let metadata = try SQLiteStore.metadata(at: place.url).properties
    let entities = destination.storedEntities(forConfigurationName: configuration) ?? destination.entities
    return SQLiteMetadata.differences(metadata, model: destination, entities: entities).isEmpty
  }

  /// Makes the new store beside the old one, which it replaces if nobody has written that meanwhile.
  private func migrateFile(_ mapping: NSMappingModel) throws {
    let new = SQLiteFile(place.url).temporaryPlace.url
    let files = StoreFiles(type: place.type)
    do {
      let before = FileVersion(of: place.url)
      try migrate(to: new, mapping)
      guard FileVersion(of: place.url) == before else {
        throw MigrationFailure.error(
          NSMigrationError,
          """
          \(place.url.path): another program has written the store while it was migrated; nothing was changed. \
          Migrate it again when nobody writes it.
          """
        )
      }
      try files.replace(place.url, with: new)
    } catch {
      try? files.remove(new)
      throw error
    }
  }

  private func migrate(to new: URL, _ mapping: NSMappingModel) throws {
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    try manager.migrate(
      MigrationPlaces(
        source: place,
        destination: StorePlace(url: new, type: place.type, options: place.options)
      ),
      mapping
    )
  }
}

/// Tells whether a file was written or replaced.
private struct FileVersion: Equatable {
  private let numbers: [Int]

  init(of url: URL) {
    var status = stat()
    guard stat(url.path, &status) == 0 else {
      numbers = []
      return
    }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    numbers = [Int(status.st_ino), Int(status.st_size), time.tv_sec, time.tv_nsec]
  }
}
