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
    return try withConnections(
      url,
      isReadOnly: false,
      timeout: StoreTimeout.seconds(in: options),
      doing: "The store could not be maintained"
    ) { connections in
      try SQLiteMaintenance(connections: connections) { _ in }.run(work, deletingHistoryBefore: date)
    }
  }
}
