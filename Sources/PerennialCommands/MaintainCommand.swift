#if !canImport(Darwin)
  import ArgumentParser
  import CoreData
  import Foundation

  /// `perennial maintain STORE [--history-days DAYS]`
  struct MaintainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "maintain",
      abstract: "Keep the file of a SQLite store in order, while others use it.",
      usage: "perennial maintain [<options>] <store>",
      discussion: """
        SQLite's statistics are brought up to date, free pages are given back to the file system, and the log is brought \
        into the file. With --history-days, transactions of the history that are older are deleted. All of it is done in \
        pieces of a few milliseconds, so that nobody waits long; no object is changed, and no model is needed.
        """
    )

    @Argument(help: "The SQLite store.") var store: StoreLocation

    @Option(help: "Delete what is older than so many days from the history; it stays as it is unless given.")
    var historyDays: Double?

    @OptionGroup(title: "Waiting") var locking: LockOptions
    @OptionGroup(title: "Log") var logging: LogOptions

    func validate() throws {
      guard let historyDays else { return }
      guard historyDays.isFinite, historyDays >= 0 else {
        throw ValidationError("--history-days \(historyDays): give a number of days, 0 or more")
      }
    }

    func run() throws {
      try CommandFailure.reporting(logging, wait: locking.wait(for: store)) {
        try store.requireFile(
          "a server keeps its tables and statistics in order with autovacuum",
          remedy: "have programs delete old history by StoreHistoryLifetimeOption"
        )
        _ = try ClosedStore.metadata(of: store)
        let report: StoreMaintenanceReport
        do {
          report = try NSPersistentStoreCoordinator.maintainPersistentStore(
            at: store.url,
            type: .init(rawValue: store.storeType),
            options: locking.storeOptions,
            deletingHistoryBefore: historyDays.map { Date(timeIntervalSinceNow: -$0 * 86_400) }
          )
        } catch {
          throw ClosedStore.failure(store, error: error)
        }
        print(lines(of: report).joined(separator: "\n"))
      }
    }

    private func lines(of report: StoreMaintenanceReport) -> [String] {
      var lines: [String] = []
      if historyDays != nil {
        let count = report.deletedTransactionCount
        lines.append("history: \(count) \(count == 1 ? "transaction" : "transactions") deleted")
      }
      lines.append("statistics: up to date")
      let free = report.freeByteCount == 0 ? "" : ", \(report.freeByteCount) bytes of it free"
      lines.append("file: \(report.releasedByteCount) bytes given back, \(report.byteCount) bytes left\(free)")
      let remaining = report.remainingLogByteCount
      lines.append(
        remaining == 0
          ? "log: in the file" : "log: \(remaining) bytes not in the file yet, since others use the store"
      )
      return lines
    }
  }
#endif
