import Foundation
import Synchronization

@testable import CoreData

/// Records the statements that are executed by connections to the databases in a folder, if they are opened after the
/// recorder was created. It records what SQLite ran, and not what was planned.
final class StatementRecorder: Sendable {
  private final class Records: Sendable {
    let statements = Mutex<[ExecutedStatement]>([])
    let steps = Mutex<[String]>([])
    let connectionCount = Mutex(0)
  }

  private let records: Records
  private let registration: StoreObservers.Registration

  init(_ folder: URL, details: StatementDetails = [.bindings, .triggers]) {
    let records = Records()
    self.records = records
    registration = StoreObservers.add(
      StoreObserver(
        details: details,
        hearsMigrations: true,
        opened: { _ in records.connectionCount.withLock { $0 += 1 } },
        executed: { statement in records.statements.withLock { $0.append(statement) } },
        migrating: { step, _ in records.steps.withLock { $0.append(step) } }
      ),
      in: folder.lastPathComponent
    )
  }

  deinit { StoreObservers.remove(registration) }

  /// All statements, including those of the driver, of transactions and of opening.
  var statements: [ExecutedStatement] { records.statements.withLock { $0 } }

  /// The number of opened connections.
  var connectionCount: Int { records.connectionCount.withLock { $0 } }

  /// The steps of migrations.
  var steps: [String] { records.steps.withLock { $0 } }

  /// The statements on rows of the model's tables that a closure executes, in order.
  func rowStatements(of work: () throws -> Void) rethrows -> [ExecutedStatement] {
    let count = statements.count
    try work()
    return statements.dropFirst(count).filter(\.isOnRows)
  }

  /// The same statements as text.
  func sql(of work: () throws -> Void) rethrows -> [String] { try rowStatements(of: work).map(\.sql) }
}

extension ExecutedStatement {
  /// Whether the statement accesses tables of the model. The names of Core Data's own tables contain no digit, unlike those
  /// of join tables.
  fileprivate var isOnRows: Bool {
    guard ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(where: sql.hasPrefix) else {
      return false
    }
    let own = ["sqlite_master", "Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE", "perennial_metadata"]
    return !own.contains(where: sql.contains)
  }

  /// The statement with its bindings, for comparisons.
  var asPlanned: SQLStatement { SQLStatement(sql: sql, bindings: bindings) }
}
