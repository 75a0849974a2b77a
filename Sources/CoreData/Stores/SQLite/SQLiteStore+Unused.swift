import Foundation
import SQLiteDriver

extension SQLiteStore: DiscardableStore {
  static func removeIfUnused(at url: URL, options: [AnyHashable: Any]?) throws -> Bool {
    let connections = try SQLiteConnections(
      file: url,
      isReadOnly: false,
      pragmas: [],
      timeout: StoreTimeout.seconds(in: options)
    )
    do {
      let isRemoved = try connections.rehearse { database in
        guard try holdsNothing(database, file: url) else { return false }
        try SQLiteFile(url).remove()
        return true
      }
      try connections.close()
      return isRemoved
    } catch {
      try? connections.close()
      throw SQLiteFailure.error(error, file: url, doing: "The store could not be removed")
    }
  }

  private static func holdsNothing(_ database: Database, file: URL) throws -> Bool {
    let content = try SQLiteContent(database, file: file)
    if content.isEmpty { return true }
    guard let metadata = content.metadata, !metadata.hasKeysOfOthers else { return false }
    // The last assigned keys are saved together with their objects.
    return try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM Z_PRIMARYKEY WHERE Z_MAX > 0)")
      ?? false
  }
}
