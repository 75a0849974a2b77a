#if PostgreSQL
  import Deflate
  import Foundation
  import PostgreSQLDriver

  /// The archive of its model that a store keeps in the table `perennial_model`, compressed.
  enum PostgreSQLModelCache {
    // As of SQLite stores.
    private static let largest = 64 << 20

    /// The archive in the store at a place, which is not opened for it.
    ///
    /// - Returns: `nil` when the store has none.
    static func archive(at url: URL, options: [AnyHashable: Any]?) throws -> Data? {
      let connections = try PostgreSQLStore.connections(to: url, options: options)
      defer { connections.close() }
      do {
        let schema = connections.address.schema
        return try connections.read { connection in
          let content = try PostgreSQLContent(connection, schema: schema, store: url)
          guard content.metadata != nil else { throw PostgreSQLStore.noStore(at: url, schema) }
          guard content.catalog.table(PostgreSQLSystemTables.model) != nil else { return nil }
          let rows = try connection.run("SELECT archive FROM perennial_model WHERE archive IS NOT NULL")
          return rows.rowCount > 0 ? try rows.data(0, 0).map { try expanded($0, url) } : nil
        }
      } catch {
        throw PostgreSQLFailure.error(error, store: url, doing: "The model in the store could not be read")
      }
    }

    private static func expanded(_ compressed: Data, _ url: URL) throws -> Data {
      do {
        return try Deflate.expanded(compressed, atMost: largest)
      } catch {
        throw StoreFailure.error(
          CocoaError.fileReadCorruptFile.rawValue,
          "\(url.absoluteString): the model in perennial_model is no compressed archive; give the model's own file.",
          file: url
        )
      }
    }
  }
#endif
