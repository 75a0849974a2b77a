#if PostgreSQL
  import Deflate
  import Foundation
  import ModelFormats
  import PostgreSQLDriver

  /// The archive of its model that a store keeps in `perennial_model`, compressed.
  enum PostgreSQLModelCache {
    // The largest archive that is known has some hundred kilobytes.
    private static let largest = 64 << 20

    /// - Returns: the model; `nil` when the store has none.
    static func read(_ connection: PostgreSQLConnection, store: URL) throws -> NSManagedObjectModel? {
      let row = try connection.run("SELECT archive FROM perennial_model WHERE archive IS NOT NULL")
      guard row.rowCount > 0, let compressed = row.data(0, 0) else { return nil }
      guard let archive = try? Deflate.expanded(compressed, atMost: largest) else {
        throw StoreFailure.error(
          CocoaError.fileReadCorruptFile.rawValue,
          """
          \(store.absoluteString): the model in perennial_model is no compressed archive; give the model's own file.
          """,
          file: store
        )
      }
      let document = try ModelDocument(compiled: archive, file: store.absoluteString)
      return try NSManagedObjectModel(document: document, file: store.absoluteString)
    }

    /// Replaces the model of a store. One that cannot be archived is left out: stores open without.
    static func write(_ model: NSManagedObjectModel, _ connection: PostgreSQLConnection) throws {
      try connection.run("DELETE FROM perennial_model")
      guard let archive = try? model.document.archivedForStore(),
        let compressed = try? Deflate.compressed(archive)
      else { return }
      try connection.run("INSERT INTO perennial_model (archive) VALUES ($1)", [.bytes(compressed)])
    }
  }
#endif
