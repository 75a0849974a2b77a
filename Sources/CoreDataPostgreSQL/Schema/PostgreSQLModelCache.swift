#if PostgreSQL
  import CoreData
  import Deflate
  import Foundation
  import ModelFormats
  import PostgreSQLDriver

  /// The archive of its model that a store keeps in the table `perennial_model`, compressed.
  enum PostgreSQLModelCache {
    // The largest known archive has some hundred kilobytes.
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
          guard content.metadata != nil else { throw PostgreSQLStore.noStore(at: url, schema: schema) }
          guard content.catalog.table(PostgreSQLSystemTables.model) != nil else { return nil }
          return try archive(connection, store: url)
        }
      } catch {
        throw PostgreSQLFailure.error(error, store: url, doing: "The model in the store could not be read")
      }
    }

    /// The model of a store.
    ///
    /// - Returns: `nil` when the store has none.
    static func read(_ connection: PostgreSQLConnection, store: URL) throws -> NSManagedObjectModel? {
      guard let archive = try archive(connection, store: store) else { return nil }
      let document = try ModelDocument(compiled: archive, file: store.absoluteString)
      return try NSManagedObjectModel(document: document, file: store.absoluteString)
    }

    /// Replaces the model of a store. One that cannot be archived is left out: stores open without.
    static func write(_ model: NSManagedObjectModel, table connection: PostgreSQLConnection) throws {
      try connection.run("DELETE FROM perennial_model")
      guard let archive = try? model.document.archivedForStore(),
        let compressed = try? Deflate.compressed(archive)
      else { return }
      try connection.run("INSERT INTO perennial_model (archive) VALUES ($1)", values: [.bytes(compressed)])
    }

    private static func archive(_ connection: PostgreSQLConnection, store: URL) throws -> Data? {
      let rows = try connection.run("SELECT archive FROM perennial_model WHERE archive IS NOT NULL")
      guard rows.rowCount > 0, let compressed = rows.data(0, column: 0) else { return nil }
      do {
        return try Deflate.expanded(compressed, atMost: largest)
      } catch {
        throw StoreFailure.error(
          CocoaError.fileReadCorruptFile.rawValue,
          message:
            "\(store.absoluteString): the model in perennial_model is not a compressed archive; give the model's own file.",
          file: store
        )
      }
    }
  }
#endif
