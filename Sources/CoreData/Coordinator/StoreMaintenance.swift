/// The work that keeps the file of a SQLite store in order.
///
/// ```swift
/// let store = coordinator.persistentStores[0]
/// let aWeekAgo = Date(timeIntervalSinceNow: -604_800)
/// let report = try coordinator.maintainPersistentStore(store, .all, deletingHistoryBefore: aWeekAgo)
/// print(report.deletedTransactionCount, report.releasedByteCount)
/// ```
public struct StoreMaintenance: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Updates the statistics by which SQLite chooses indexes: `PRAGMA optimize`, or `ANALYZE` before SQLite 3.46, with a
  /// limit to the number of rows that are read. SQLite's documentation of `PRAGMA optimize`.
  public static let statistics = StoreMaintenance(rawValue: 1)

  /// Gives the pages that deleted objects have left free back to the file system: `PRAGMA
  /// incremental_vacuum`. Without it later saves fill them.
  public static let freePages = StoreMaintenance(rawValue: 2)

  /// Moves the write-ahead log into the file, as far as no connection reads an older state, and
  /// shortens the log when all of it is in the file: `PRAGMA wal_checkpoint`.
  public static let checkpoint = StoreMaintenance(rawValue: 4)

  /// All of it.
  public static let all: StoreMaintenance = [.statistics, .freePages, .checkpoint]
}

/// The outcome of the maintenance of a store.
public struct StoreMaintenanceReport: Sendable {
  /// The number of transactions that were deleted from the history.
  public internal(set) var deletedTransactionCount = 0

  /// The number of bytes by which the database became shorter.
  public internal(set) var releasedByteCount: Int64 = 0

  /// The number of bytes of pages that are free in the database still. They stay in a store that
  /// was not made with incremental vacuum, until `NSSQLiteManualVacuumOption` builds it anew.
  public internal(set) var freeByteCount: Int64 = 0

  /// The size of the database in bytes, without its log and its files of large values.
  public internal(set) var byteCount: Int64 = 0

  /// The number of bytes of the log that are not in the file yet, because a connection reads an
  /// older state; 0 if no checkpoint was requested. If other connections were running a checkpoint
  /// themselves, the number is the size of the whole log.
  public internal(set) var remainingLogByteCount: Int64 = 0
}
