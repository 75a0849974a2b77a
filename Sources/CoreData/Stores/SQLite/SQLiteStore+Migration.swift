import Files
import Foundation
import ModelFormats
import SQLiteDriver

/// A SQLite store is migrated by statements in one transaction. The connections that look at it go on with it.
extension SQLiteStore: ModelCachingStore {
  func metadataBeforeOpening() throws -> [String: Any]? {
    guard file.isFileURL, [.regular, .folder].contains(FileKind(resolving: file.path)) else { return nil }
    return try connectEarly().look { database in
      guard try database.tableExists("Z_METADATA") else { return nil }
      return try StoreMetadata.read(from: database, file: file)?.all
    }
  }

  func cachedModel() throws -> NSManagedObjectModel? {
    let archive = try connectEarly().look { try SQLiteModelCache.read(from: $0, file: file) }
    return try archive.map { archive in
      let document = try ModelDocument(compiled: archive, file: file.path)
      return try NSManagedObjectModel(document: document, file: file.path)
    }
  }

  func migrate(_ migration: LightweightMigration) throws {
    try SQLiteMigration(
      migration,
      file: file,
      defersCleanup: options?[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool ?? false
    )
    .run(connectEarly())
  }
}

extension SQLiteStore: DeferringStore {
  var isCleanupDeferred: Bool { (metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool) ?? false }

  func cleanUpAfterMigration() throws -> Bool {
    let engine = try writableEngine()
    return try reading("The migration could not be finished") {
      let (isUnfinished, metadata) = try engine.connections.write { database in
        // Tables that this program's model does not need may belong to a model to which another program
        // has migrated the store.
        try engine.guardian?.check(database, engine: engine)
        guard var metadata = try StoreMetadata.read(from: database, file: file), metadata.isCleanupDeferred
        else { return (false, StoreMetadata?.none) }
        let cleanup = SQLiteMigrationCleanup(schema: engine.schema, file: file)
        metadata.isCleanupDeferred = try cleanup.runNext(database)
        try metadata.write(to: database, file: file, isNew: false)
        return (metadata.isCleanupDeferred, metadata)
      }
      if let metadata { metadataState.wereCleanedUp(metadata) }
      return isUnfinished
    }
  }
}
