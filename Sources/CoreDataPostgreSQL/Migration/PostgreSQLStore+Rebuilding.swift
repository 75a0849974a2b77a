#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// A store in PostgreSQL is rebuilt in a second schema, which is copied into the store's schema and then removed.
  extension PostgreSQLStore: RebuildableStore {
    static func rebuild(at url: URL, options: [AnyHashable: Any]?, _ create: (URL) throws -> Bool) throws {
      let connections = try connections(to: url, options: options)
      defer { connections.close() }
      var temporaries: [URL] = []
      // This runs after the transaction. If the process is killed earlier, the name of the remaining schema
      // tells its purpose.
      defer { for place in temporaries { try? destroy(at: place, options: options) } }
      do {
        try connections.write { connection in
          // This is repeated if the connection is lost, and an attempt must not add to the schema of an earlier one.
          let temporary = temporaryPlace(nextTo: url)
          temporaries.append(temporary)
          // Others read meanwhile, and write afterwards.
          try PostgreSQLMigrationLock(connections).take(connection)
          guard try create(temporary) else { return }
          try withContents(of: temporary, options: options) { model, stream in
            let opening = try PostgreSQLStoreOpening(
              connections,
              url: url,
              model: model,
              configuration: NSManagedObjectModel.defaultConfigurationName,
              options: [NSPersistentHistoryTrackingKey: true]
            )
            try stream(
              PostgreSQLReceiver(engine: try opening.createAnew(connection, replacing: true), connection: connection)
            )
          }
        }
      } catch {
        throw PostgreSQLMigrationLock.failure(error, store: url, waited: connections.timeout)
      }
    }

    /// An unused schema name of the same database.
    private static func temporaryPlace(nextTo url: URL) -> URL {
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
      let others = (parts?.queryItems ?? []).filter { $0.name != "schema" }
      let name = "perennial_migration_\(UUID().uuidString.lowercased())"
      parts?.queryItems = others + [URLQueryItem(name: "schema", value: name)]
      return parts?.url ?? url
    }
  }
#endif
