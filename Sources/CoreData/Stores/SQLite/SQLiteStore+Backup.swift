import Foundation

extension SQLiteStore: BackupStore {
  func backUp(to place: BackupDestination) throws -> StoreBackup {
    try SQLiteStoreBackup(
      connections: engine().connections,
      place: place,
      timeout: StoreTimeout.seconds(in: options)
    )
    .run()
  }

  static func backUp(
    _ url: URL,
    options: [AnyHashable: Any]?,
    to place: BackupDestination
  ) throws -> StoreBackup {
    try StoreFile(url).checkPlace(mustExist: true, isWritten: false)
    let timeout = StoreTimeout.seconds(in: options)
    let connections = try SQLiteConnections(file: url, isReadOnly: true, pragmas: [], timeout: timeout)
    defer { try? connections.close() }
    return try SQLiteStoreBackup(connections: connections, place: place, timeout: timeout).run()
  }
}
