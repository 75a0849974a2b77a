import Foundation
import SQLiteDriver

extension SQLiteStore: MaintainableStore {
  func maintain(_ work: StoreMaintenance, deletingHistoryBefore date: Date?) throws -> StoreMaintenanceReport {
    let engine = try writableEngine()
    return try reading("The store could not be maintained") {
      try SQLiteMaintenance(connections: engine.connections) {
        try engine.guardian?.check($0, engine: engine)
      }
      .run(work, deletingHistoryBefore: date)
    }
  }

  static func maintain(
    _ url: URL,
    options: [AnyHashable: Any]?,
    work: StoreMaintenance,
    deletingHistoryBefore date: Date?
  ) throws -> StoreMaintenanceReport {
    _ = try metadata(at: url)
    try StoreFile(url).checkPlace(mustExist: true, isWritten: true)
    let connections = try SQLiteConnections(
      file: url,
      isReadOnly: false,
      pragmas: [],
      timeout: StoreTimeout.seconds(in: options)
    )
    do {
      let report = try SQLiteMaintenance(connections: connections) { _ in }
        .run(work, deletingHistoryBefore: date)
      try connections.close()
      return report
    } catch {
      try? connections.close()
      throw SQLiteFailure.error(error, file: url, doing: "The store could not be maintained")
    }
  }
}
