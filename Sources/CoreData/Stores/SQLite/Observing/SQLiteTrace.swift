import CSystemSQLite
import Foundation
import SQLiteDriver

/// Observes each statement that a connection executes: those of the store and of the driver, and those that
/// triggers run.
///
/// It uses SQLite's trace, which a connection has only while its store is observed:
/// <https://www.sqlite.org/c3ref/trace_v2.html>. The framework therefore does not check for observers with
/// each statement.
// SQLite calls it on the thread that executes a statement, and a connection is used by one thread at a time.
final class SQLiteTrace {
  private struct Running {
    let start: ContinuousClock.Instant
    var statement: ExecutedStatement
  }

  // Not owned: the connection owns the trace, and lets it go as it is closed.
  private let connection: OpaquePointer
  private let store: String
  private let observers: [StoreObserver]
  private let details: StatementDetails
  // The addresses of statements that run. They are only compared.
  private var running: [OpaquePointer: Running] = [:]
  /// The statements that ask for plans are not told.
  private var isExplaining = false

  private init(connection: OpaquePointer, store: String, observers: [StoreObserver]) {
    self.connection = connection
    self.store = store
    self.observers = observers
    details = observers.reduce(into: []) { $0.formUnion($1.details ?? []) }
  }

  /// Called when a connection is opened.
  static func install(in database: Database) {
    guard let connection = database.sqliteConnection else { return }
    let store = sqlite3_db_filename(connection, nil).map { String(cString: $0) } ?? ""
    let all = StoreObservers.all(of: store)
    for observer in all { observer.opened(store) }
    let observers = all.filter { $0.details != nil }
    if observers.isEmpty { return }
    // The connection owns it until it tells that it is being closed.
    let context = Unmanaged.passRetained(
      SQLiteTrace(connection: connection, store: store, observers: observers)
    ).toOpaque()
    let events = SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW | SQLITE_TRACE_CLOSE
    sqlite3_trace_v2(connection, UInt32(events), callback, context)
  }

  private static let callback:
    @convention(c) (
      UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> Int32 = { event, context, subject, detail in
      guard let context, let subject else { return SQLITE_OK }
      let trace = Unmanaged<SQLiteTrace>.fromOpaque(context)
      let pointer = OpaquePointer(subject)
      switch Int32(bitPattern: event) {
      case SQLITE_TRACE_STMT:
        let text = detail?.assumingMemoryBound(to: CChar.self)
        trace.takeUnretainedValue().begin(pointer, text: text)
      case SQLITE_TRACE_ROW: trace.takeUnretainedValue().recordRow(pointer)
      case SQLITE_TRACE_PROFILE: trace.takeUnretainedValue().end(pointer)
      case SQLITE_TRACE_CLOSE:
        // A connection that cannot be closed yet is closed again later, when there must be no trace.
        sqlite3_trace_v2(pointer, 0, nil, nil)
        trace.release()
      default: break
      }
      return SQLITE_OK
    }

  // MARK: - Events

  /// - Parameter text: the statement, or a comment with the name of a trigger that it has fired.
  private func begin(_ raw: OpaquePointer, text: UnsafePointer<CChar>?) {
    if isExplaining { return }
    if running[raw] != nil {
      guard details.contains(.triggers), let text else { return }
      running[raw]?.statement.triggers.append(Self.triggerName(String(cString: text)))
      return
    }
    var statement = ExecutedStatement(
      store: store,
      sql: sqlite3_sql(raw).map { String(cString: $0) } ?? ""
    )
    if details.contains(.plan), Self.hasPlan(statement.sql) { statement.plan = plan(of: statement.sql) }
    running[raw] = Running(start: .now, statement: statement)
  }

  private func recordRow(_ raw: OpaquePointer) {
    guard !isExplaining, var found = running.removeValue(forKey: raw) else { return }
    found.statement.rowCount += 1
    if details.contains(.rows), found.statement.rows.count < StatementText.mostRows {
      found.statement.rows.append((0..<sqlite3_data_count(raw)).map { Self.value(raw, column: $0) })
    }
    running[raw] = found
  }

  private func end(_ raw: OpaquePointer) {
    guard !isExplaining, let found = running.removeValue(forKey: raw) else { return }
    var statement = found.statement
    statement.duration = found.start.duration(to: .now)
    if Self.changesRows(statement.sql) { statement.changeCount = Int(sqlite3_changes(connection)) }
    if details.contains(.bindings), sqlite3_bind_parameter_count(raw) > 0, let expanded = sqlite3_expanded_sql(raw) {
      statement.bindings = ExpandedSQL(statement.sql, expanded: String(cString: expanded)).bindings
      sqlite3_free(expanded)
    }
    for observer in observers {
      if let details = observer.details { observer.executed(statement.with(details)) }
    }
  }

  // MARK: - Details

  /// The plan is queried before the statement has done anything, because a query afterwards would change
  /// the connection's counts of changes and its last error.
  private func plan(of sql: String) -> [String] {
    isExplaining = true
    defer { isExplaining = false }
    var raw: OpaquePointer?
    guard sqlite3_prepare_v2(connection, "EXPLAIN QUERY PLAN \(sql)", -1, &raw, nil) == SQLITE_OK, let raw
    else { return [] }
    defer { sqlite3_finalize(raw) }
    var steps = QueryPlanSteps()
    while sqlite3_step(raw) == SQLITE_ROW { steps.append(raw) }
    return steps.lines
  }

  private static func value(_ raw: OpaquePointer, column: Int32) -> SQLValue {
    let cell = SQLiteCell(statement: raw, column: column)
    switch cell.type {
    case SQLITE_INTEGER: return .integer(cell.int64)
    case SQLITE_FLOAT: return .real(cell.double)
    case SQLITE_TEXT: return .text((try? cell.text()) ?? "")
    case SQLITE_BLOB: return .blob((try? cell.bytes()).map { Data($0) } ?? Data())
    default: return .null
    }
  }

  /// The name in `-- TRIGGER name`.
  private static func triggerName(_ comment: String) -> String {
    String(comment.trimmingPrefix("-- ").trimmingPrefix("TRIGGER "))
  }

  private static func hasPlan(_ sql: String) -> Bool {
    isOne(of: ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "REPLACE"], sql: sql)
  }

  private static func changesRows(_ sql: String) -> Bool {
    isOne(of: ["INSERT", "UPDATE", "DELETE", "REPLACE"], sql: sql)
  }

  private static func isOne(of words: [String], sql: String) -> Bool {
    let word = sql.drop(while: \.isWhitespace).prefix(while: \.isLetter).uppercased()
    return words.contains(word)
  }
}

extension SQLiteConfiguration {
  /// The base of every connection's configuration, so that each connection is observed.
  static var observed: SQLiteConfiguration {
    var configuration = SQLiteConfiguration()
    configuration.prepareDatabase(SQLiteTrace.install)
    return configuration
  }
}
