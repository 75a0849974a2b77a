#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLStore: DiscardableStore {
    static func removeIfUnused(at url: URL, options: [AnyHashable: Any]?) throws -> Bool {
      let connections = try connections(to: url, options: options)
      defer { connections.close() }
      let schema = connections.address.schema
      do {
        return try connections.write { connection in
          // A save that starts now waits, and finds the store removed.
          try PostgreSQLMigrationLock(connections).take(connection)
          let content = try PostgreSQLContent(connection, schema: schema, store: url)
          if content.isEmpty { return true }
          guard let metadata = content.metadata, !metadata.hasKeysOfOthers, !content.hasTransactions else {
            return false
          }
          let dialect = PostgreSQLDialect()
          for table in content.catalog.tables.values where table.column("z_pk") != nil {
            if table.name == "perennial_change" { continue }
            let name = dialect.identifier(table.name)
            try connection.run("LOCK TABLE \(name) IN ACCESS EXCLUSIVE MODE")
            if try connection.run("SELECT 1 FROM \(name) LIMIT 1").rowCount > 0 { return false }
          }
          try PostgreSQLSchema(schema).remove(connection)
          return true
        }
      } catch {
        throw PostgreSQLFailure.error(error, store: url, doing: "The store could not be removed")
      }
    }
  }
#endif
