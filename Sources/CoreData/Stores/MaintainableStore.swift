import Foundation

/// A store whose file can be maintained while it is in use.
protocol MaintainableStore: ObjectStore {
  /// Does work on the open store that changes none of its objects.
  ///
  /// - Parameter date: transactions of the history before that date are deleted.
  func maintain(_ work: StoreMaintenance, deletingHistoryBefore date: Date?) throws -> StoreMaintenanceReport

  /// Maintains the store at an address. Other processes may have it open.
  static func maintain(
    _ url: URL,
    options: [AnyHashable: Any]?,
    work: StoreMaintenance,
    deletingHistoryBefore date: Date?
  ) throws -> StoreMaintenanceReport
}
