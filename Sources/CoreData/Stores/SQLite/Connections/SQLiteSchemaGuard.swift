import Foundation
import GRDB
import Synchronization

/// Notices that another program has migrated, replaced or emptied a store while it is open: what
/// this one would write is of the former model or the former store, and is refused.
final class SQLiteSchemaGuard: Sendable {
  /// SQLite counts the changes of the schema in the file.
  private let version: Mutex<Int64?>
  private let identifier: String
  private let ignoresVersions: Bool

  /// - Parameters:
  ///   - version: what SQLite counted when the store was looked at.
  ///   - identifier: the identity of the store.
  ///   - ignoresVersions: true when the store may be of another model.
  init(version: Int64?, identifier: String, ignoresVersions: Bool) {
    self.version = Mutex(version)
    self.identifier = identifier
    self.ignoresVersions = ignoresVersions
  }

  static func version(of database: Database) throws -> Int64? {
    try Int64.fetchOne(try database.cachedStatement(sql: "PRAGMA schema_version"))
  }

  /// Called in a transaction that holds the write lock.
  ///
  /// - Throws: an error with the remedy, when the store is not what it was when it was opened.
  func check(_ database: Database, _ engine: SQLiteStore.Engine) throws {
    let current = try Self.version(of: database)
    if version.withLock({ $0 == current }) { return }
    let content = try SQLiteContent(database, file: engine.file)
    let entities = engine.schema.entities
    guard let metadata = content.metadata, metadata.uuid == identifier,
      entities.allSatisfy({ content.catalog.entityNumbers[$0.entity.name ?? ""] ?? $0.number == $0.number }),
      ignoresVersions
        || StoreMetadata.differences(
          metadata.properties,
          model: engine.schema.model,
          entities: entities.map(\.entity)
        )
        .isEmpty
    else {
      throw StoreFailure.error(
        NSPersistentStoreIncompatibleSchemaError,
        """
        \(engine.file.path) was migrated, replaced or emptied by another program since it was opened; nothing was saved. \
        Remove it from the coordinator and add it again, with the model that it has now.
        """,
        file: engine.file
      )
    }
    version.withLock { $0 = current }
  }
}
