import Foundation

/// A store whose file can be kept in order while others use it.
protocol MaintainableStore: ObjectStore {
  /// Does work on the open store that changes none of its objects.
  ///
  /// - Parameter date: transactions of the history before that date are deleted.
  func maintain(
    _ work: StoreMaintenance,
    deletingHistoryBefore date: Date?
  ) throws -> StoreMaintenanceReport

  /// Does work on the store at an address, which others may have open.
  static func maintain(
    _ url: URL,
    options: [AnyHashable: Any]?,
    _ work: StoreMaintenance,
    deletingHistoryBefore date: Date?
  ) throws -> StoreMaintenanceReport
}
