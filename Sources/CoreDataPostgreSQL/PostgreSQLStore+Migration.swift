#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLStore: ModelCachingStore {
    func metadataBeforeOpening() throws -> [String: Any]? {
      try lookedAt { connection, metadata in metadata.all }
    }

    func cachedModel() throws -> NSManagedObjectModel? {
      try lookedAt { connection, _ in try PostgreSQLModelCache.read(connection, store: place) } ?? nil
    }

    func migrate(_ migration: LightweightMigration) throws {
      try PostgreSQLMigration(migration, store: place).run(connectEarly())
    }

    /// Looks at a store that is not open.
    ///
    /// - Returns: `nil` if there is no store.
    private func lookedAt<Value>(_ body: (PostgreSQLConnection, StoreMetadata) throws -> Value) throws -> Value? {
      try reading("The store could not be looked at") {
        try connectEarly().read { connection in
          let isThere = try connection.run("SELECT to_regclass('perennial_metadata') IS NOT NULL")
          guard isThere.integer(0, column: 0) == 1,
            let metadata = try StoreMetadata.read(connection, store: place)
          else { return nil }
          return try body(connection, metadata)
        }
      }
    }
  }
#endif
