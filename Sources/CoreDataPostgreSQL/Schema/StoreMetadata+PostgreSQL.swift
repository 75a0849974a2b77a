#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// The metadata of a store in PostgreSQL are the one row of the table `perennial_metadata`.
  extension StoreMetadata {
    /// Writes the row of a new store.
    func insert(_ connection: PostgreSQLConnection, store: URL) throws {
      try connection.run(
        "INSERT INTO perennial_metadata (uuid, properties) VALUES ($1, $2)",
        values: [.text(uuid), .bytes(try data(store: store))]
      )
    }

    /// Reads the row; `nil` if there is no row.
    ///
    /// - Parameter lock: the end of the query, where the row is to be locked.
    static func read(_ connection: PostgreSQLConnection, store: URL, lock: String = "") throws
      -> StoreMetadata?
    {
      let row = try connection.run("SELECT uuid, properties FROM perennial_metadata\(lock)", isCached: true)
      guard row.rowCount > 0, let uuid = row.text(0, column: 0), let list = row.data(0, column: 1) else { return nil }
      return StoreMetadata(uuid: uuid, properties: try properties(list, in: "perennial_metadata", store: store))
    }

    /// Writes all of it after a migration. Every program that has the store open notices the change.
    func replace(_ connection: PostgreSQLConnection, store: URL) throws {
      try connection.run(
        "UPDATE perennial_metadata SET uuid = $1, properties = $2, model_number = model_number + 1",
        values: [.text(uuid), .bytes(try data(store: store))]
      )
    }

    /// Writes the values of some keys. Values that other programs have written under other keys in the meantime stay.
    ///
    /// - Returns: all that is written.
    func write(_ keys: Set<String>, connection: PostgreSQLConnection, store: URL) throws -> StoreMetadata {
      var merged = try Self.read(connection, store: store, lock: " FOR NO KEY UPDATE") ?? self
      for key in keys { merged.properties[key] = properties[key] }
      try connection.run(
        "UPDATE perennial_metadata SET properties = $1",
        values: [.bytes(try merged.data(store: store))]
      )
      return merged
    }
  }
#endif
