import Deflate
public import Foundation
import GRDB
import GRDBSQLite
package import ModelFormats

/// The archive of its model that a store keeps in the table `Z_MODELCACHE`, compressed.
enum SQLiteModelCache {
  // The largest archive that is known has some hundred kilobytes.
  private static let largest = 64 << 20

  /// - Returns: the archive; `nil` when the store has none, as those of before macOS 10.12 and some
  ///   others.
  static func read(from database: Database, file: URL) throws -> Data? {
    guard try database.tableExists("Z_MODELCACHE") else { return nil }
    var found: Data?
    let query = SQLStatement(sql: "SELECT Z_CONTENT FROM Z_MODELCACHE WHERE Z_CONTENT NOT NULL LIMIT 1")
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      found = Data(try SQLiteCell(statement: row, column: 0, type: sqlite3_column_type(row, 0)).bytes())
    }
    return try found.map { compressed in
      do {
        return try Deflate.expanded(compressed, atMost: largest)
      } catch {
        throw StoreFailure.error(
          CocoaError.fileReadCorruptFile.rawValue,
          "\(file.path): the model in Z_MODELCACHE is no compressed archive; give the model's own file.",
          file: file
        )
      }
    }
  }

  /// Replaces the model that a store keeps.
  static func replace(_ model: NSManagedObjectModel, in database: Database) throws {
    if try database.tableExists("Z_MODELCACHE") {
      try database.execute(sql: "DELETE FROM Z_MODELCACHE")
    } else {
      try database.execute(sql: SQLiteSystemTables.modelCache)
    }
    try write(model, to: database)
  }

  /// Keeps the model in a new store. One that cannot be archived is left out: stores open without.
  static func write(_ model: NSManagedObjectModel, to database: Database) throws {
    guard let archive = try? model.document.archivedForStore(),
      let compressed = try? Deflate.compressed(archive)
    else { return }
    let statement = SQLStatement(
      sql: "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)",
      bindings: [.blob(compressed)]
    )
    try SQLiteQuery(statement, in: database, isCached: false).run()
  }
}

extension NSManagedObjectModel {
  /// Reads the model that a SQLite store was made with out of the store itself.
  ///
  /// Apple has no such method. Apple's framework, and this one, keep the model in the store, for
  /// migrations without the model's file; default values and expressions that no model file can say
  /// are not read.
  ///
  /// - Parameter store: the store, which is not changed.
  /// - Throws: an error of `NSCocoaErrorDomain` that names the file, when it is no store, has no
  ///   model in it, or has one that cannot be read.
  public convenience init(cachedIn store: URL) throws {
    try self.init(document: Self.document(cachedIn: store), file: store.path)
  }

  /// The model that a SQLite store was made with, as a document.
  ///
  /// - Throws: an error of `NSCocoaErrorDomain` that names the file, when it is no store, has no
  ///   model in it, or has one that cannot be read.
  package static func document(cachedIn store: URL) throws -> ModelDocument {
    guard let archive = try SQLiteStore.cachedModel(at: store) else {
      throw StoreFailure.error(
        CocoaError.fileReadCorruptFile.rawValue,
        "\(store.path): the store has no model in its table Z_MODELCACHE; give the model's own file.",
        file: store
      )
    }
    return try ModelDocument(compiled: archive, file: store.path)
  }
}
