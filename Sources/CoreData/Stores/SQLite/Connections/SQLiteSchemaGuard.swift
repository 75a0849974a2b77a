import CSystemSQLite
import Foundation
import SQLiteDriver
import Synchronization

/// Notices that another program has migrated, replaced or emptied a store while it is open.
///
/// Later writes of this store would follow the former model or the former store, and are refused. It
/// can still read as long as the tables exist and have the same meaning.
final class SQLiteSchemaGuard: Sendable {
  /// SQLite counts the changes of the schema in the file.
  private let version: Mutex<Int64?>
  private let identifier: String
  /// The names of entities by their numbers when the store was opened. A renamed entity may have kept its number.
  private let entityNames: [Int64: String]
  private let ignoresVersions: Bool
  /// The last schema version at which the entities still had their numbers.
  private let readableVersion: Mutex<Int64?>

  /// - Parameters:
  ///   - version: SQLite's schema version when the store was examined.
  ///   - identifier: the identity of the store.
  ///   - entityNumbers: the store's entity numbers by name.
  ///   - ignoresVersions: true when the store may be of another model.
  init(version: Int64?, identifier: String, entityNumbers: [String: Int64], ignoresVersions: Bool) {
    self.version = Mutex(version)
    readableVersion = Mutex(version)
    self.identifier = identifier
    entityNames = Self.names(entityNumbers)
    self.ignoresVersions = ignoresVersions
  }

  static func version(of database: Database) throws -> Int64? {
    let statement = try database.cachedStatement(sql: "PRAGMA schema_version")
    defer { sqlite3_reset(statement.sqliteStatement) }
    switch sqlite3_step(statement.sqliteStatement) {
    case SQLITE_ROW: return sqlite3_column_int64(statement.sqliteStatement, 0)
    case SQLITE_DONE: return nil
    case let code: throw database.failure(code, sql: statement.sql)
    }
  }

  /// Makes all programs that have the store open notice a migration, also one that changes no table: new subentities
  /// alone may change the numbers of all others. Called in the migration's transaction.
  ///
  /// - Parameter version: what SQLite counted before the migration.
  static func ensureChange(since version: Int64?, in database: Database) throws {
    guard let current = try Self.version(of: database), current == version else { return }
    // SQLite counts in 32 bits, and does the same for a VACUUM.
    try database.execute(sql: "PRAGMA schema_version = \(Int32(truncatingIfNeeded: current &+ 1))")
  }

  /// Called in a transaction that holds the write lock.
  ///
  /// - Throws: an error with the remedy, when the store has changed since it was opened.
  func check(_ database: Database, engine: SQLiteStore.Engine) throws {
    let current = try Self.version(of: database)
    if version.withLock({ $0 == current }) { return }
    guard try isSame(database, engine: engine) else { throw failure(engine.file, consequence: "nothing was saved") }
    version.withLock { $0 = current }
  }

  /// Called on a connection after a read, because SQLite notices the commits of other connections when it begins to
  /// read. The schema is checked only if another connection has committed since this connection's last read.
  ///
  /// - Throws: an error with the remedy, when a migration has given an entity's number to another
  ///   entity. Rows would otherwise be attributed to the wrong entity.
  func checkRead(_ database: Database, engine: SQLiteStore.Engine) throws {
    let commit = database.commitNumber
    if let commit, database.connectionNotes.isChecked(by: self, at: commit) { return }
    let current = try Self.version(of: database)
    if readableVersion.withLock({ $0 != current }) {
      guard isReadable(try SQLiteContent(database, file: engine.file), engine: engine) else {
        throw failure(engine.file, consequence: Self.unreadable)
      }
      readableVersion.withLock { $0 = current }
    }
    if let commit { database.connectionNotes.wasChecked(by: self, at: commit) }
  }

  /// The error that a program gets for an error of SQLite. If the store has changed since it was
  /// opened, a missing table or column is explained by that.
  func explain(_ error: any Error, engine: SQLiteStore.Engine) -> any Error {
    guard let failure = error as? DatabaseError, failure.resultCode == .SQLITE_ERROR else { return error }
    let isSame = try? engine.connections.readOnce { try self.isSame($0, engine: engine) }
    return isSame == false ? self.failure(engine.file, consequence: Self.unreadable, error) : error
  }

  private static let unreadable = "what was asked for cannot be read any more"

  private func isSame(_ database: Database, engine: SQLiteStore.Engine) throws -> Bool {
    let content = try SQLiteContent(database, file: engine.file)
    guard let metadata = content.metadata, isReadable(content, engine: engine) else { return false }
    if ignoresVersions { return true }
    let entities = engine.schema.entities.map(\.entity)
    return StoreMetadata.differences(metadata.properties, model: engine.schema.model, entities: entities)
      .isEmpty
  }

  private func isReadable(_ content: SQLiteContent, engine: SQLiteStore.Engine) -> Bool {
    let names = Self.names(content.catalog.entityNumbers)
    return content.metadata?.uuid == identifier
      && engine.schema.entities.allSatisfy { names[$0.number] == entityNames[$0.number] }
  }

  private static func names(_ numbers: [String: Int64]) -> [Int64: String] {
    Dictionary(numbers.map { ($0.value, $0.key) }) { min($0, $1) }
  }

  private func failure(_ file: URL, consequence: String, _ cause: (any Error)? = nil) -> any Error {
    StoreFailure.incompatibleSchema(
      """
      \(file.path) was migrated, replaced or emptied by another program since it was opened; \(consequence). \
      Remove it from the coordinator and add it again, with the model that it has now.
      """,
      file: file,
      details: cause.map { [NSUnderlyingErrorKey: $0] } ?? [:]
    )
  }
}
