extension SQLiteStore {
  var isCleanupDeferred: Bool {
    (metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool) ?? false
  }

  /// Does one piece of what a migration left for later.
  ///
  /// - Returns: whether there is more to do.
  func cleanUpAfterMigration() throws -> Bool {
    let engine = try writableEngine()
    return try reading("The migration could not be finished") {
      let (isUnfinished, metadata) = try engine.connections.write { database in
        guard var metadata = try SQLiteMetadata.read(from: database, file: file), metadata.isCleanupDeferred
        else { return (false, SQLiteMetadata?.none) }
        let cleanup = SQLiteMigrationCleanup(schema: engine.schema, file: file)
        metadata.isCleanupDeferred = try cleanup.runNext(database)
        try metadata.write(to: database, file: file, isNew: false)
        return (metadata.isCleanupDeferred, metadata)
      }
      if let metadata { metadataWereCleanedUp(metadata) }
      return isUnfinished
    }
  }
}
