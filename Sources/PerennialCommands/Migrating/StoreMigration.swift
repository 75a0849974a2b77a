import CoreData
import Files
import Foundation

/// Migrates a store, or tries the migration on a copy.
struct StoreMigration {
  let store: StoreLocation
  let plan: MigrationPlan
  /// The store options, which limit the wait for other programs.
  let options: [AnyHashable: Any]
  private var url: URL { store.url }

  /// Migrates a copy and removes it. The copy is always a file, even of a store on a server.
  func rehearse() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    // All users share the temporary folder, so only this user may read the copy.
    try FileManager.default.createDirectory(
      at: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: NSNumber(value: 0o700)]
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    try migrate(to: folder.appendingPathComponent(store.isOnServer ? "store" : url.lastPathComponent))
  }

  /// Copies the store.
  ///
  /// - Returns: the copy's path.
  func backUp() throws -> String {
    let copy = store.description + ".backup"
    guard FileKind(at: copy) == .nothing else {
      throw CommandFailure(file: copy, problem: "there is a backup already", remedy: "move it away")
    }
    try replace(URL(fileURLWithPath: copy), with: url)
    return copy
  }

  /// Migrates the store in place, so that no concurrent commit of another program is lost.
  func run() throws {
    #if canImport(Darwin)
      let copy = url.deletingLastPathComponent().appendingPathComponent(
        ".\(UUID().uuidString)-\(url.lastPathComponent)"
      )
      defer { remove(copy) }
      try migrate(to: copy)
      try replace(url, with: copy)
    #else
      try NSPersistentStoreCoordinator(managedObjectModel: plan.destination).migrateStore(
        at: url,
        ofType: store.storeType,
        from: plan.source,
        by: plan.mapping,
        options: try historyOptions()
      )
    #endif
  }

  /// True for the failure of a migration that changed nothing, because another program has migrated the
  /// store since this command read its metadata.
  static func isOvertaken(by error: any Error) -> Bool {
    #if canImport(Darwin)
      return false
    #else
      return MigratedMeanwhile.isReason(for: error)
    #endif
  }

  /// The options with which a store continues its history.
  private func historyOptions() throws -> [AnyHashable: Any] {
    guard try StoreHistory.isRecorded(by: store, model: plan.source, options: options) else { return options }
    return options.merging(StoreHistory.tracking) { $1 }
  }

  private func migrate(to copy: URL) throws {
    let manager = NSMigrationManager(sourceModel: plan.source, destinationModel: plan.destination)
    try manager.migrateStore(
      from: url,
      sourceType: store.storeType,
      options: options,
      with: plan.mapping,
      toDestinationURL: copy,
      destinationType: NSSQLiteStoreType,
      destinationOptions: try historyOptions()
    )
  }

  private func replace(_ url: URL, with other: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.replacePersistentStore(
      at: url,
      destinationOptions: options,
      withPersistentStoreFrom: other,
      sourceOptions: options,
      ofType: NSSQLiteStoreType
    )
  }

  /// Removes a store that this migration has made, with its other files.
  func remove(_ url: URL) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try? coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
    // Destroying a store leaves an empty database file.
    for suffix in ["", "-wal", "-shm"] { _ = try? FilePlacing.removeFile(url.path + suffix) }
  }
}
