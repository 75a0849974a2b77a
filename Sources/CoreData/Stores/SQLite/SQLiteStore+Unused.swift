import Foundation
import SQLiteDriver

extension SQLiteStore: DiscardableStore {
  static func removeIfUnused(at url: URL, options: [AnyHashable: Any]?) throws -> Bool {
    try withConnections(
      url,
      isReadOnly: false,
      timeout: StoreTimeout.seconds(in: options),
      doing: "The store could not be removed"
    ) { connections in
      try connections.rehearse { database in
        guard try holdsNothing(database, file: url) else { return false }
        try SQLiteFile(url).remove()
        return true
      }
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
