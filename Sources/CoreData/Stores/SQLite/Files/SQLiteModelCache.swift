import CSystemSQLite
import Deflate
import Foundation
import ModelFormats
import SQLiteDriver

/// The archive of its model that a store keeps in the table `Z_MODELCACHE`, compressed.
enum SQLiteModelCache {
  // The largest known archive has some hundred kilobytes.
  private static let largest = 64 << 20

  /// - Returns: the archive; `nil` when the store has no archive, as stores from before macOS 10.12 and some others.
  static func read(from database: Database, file: URL) throws -> Data? {
    guard try database.tableExists("Z_MODELCACHE") else { return nil }
    var found: Data?
    let query = SQLStatement(sql: "SELECT Z_CONTENT FROM Z_MODELCACHE WHERE Z_CONTENT NOT NULL LIMIT 1")
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      found = Data(try SQLiteCell(statement: row, column: 0).bytes())
    }
    return try found.map { compressed in
      do {
        return try Deflate.expanded(compressed, atMost: largest)
      } catch {
        throw StoreFailure.corruptFile(
          "\(file.path): the model in Z_MODELCACHE is not a compressed archive; give the model's own file.",
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
    let statement = SQLStatement(sql: "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", bindings: [.blob(compressed)])
    try SQLiteQuery(statement, in: database, isCached: false).run()
  }
}
