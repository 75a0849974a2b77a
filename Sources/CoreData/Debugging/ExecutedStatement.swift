/// A statement that a connection has executed.
package struct ExecutedStatement: Sendable {
  /// The path of the database; empty for one in memory.
  let store: String
  /// The statement, with a question mark for each value.
  let sql: String
  /// The bound values, if they were requested. SQLite reports texts up to their first NUL
  /// character, and numbers with 15 digits.
  package var bindings: [SQLValue] = []
  /// The triggers that it set off, in their order, where they were asked for.
  var triggers: [String] = []
  /// The first of its rows, where they were asked for.
  package var rows: [[SQLValue]] = []
  /// The number of rows that it returned before it ended or its reader stopped.
  package var rowCount = 0
  /// The number of rows that it changed; `nil` for a statement that changes none by its nature.
  package var changeCount: Int?
  /// From its first step to its end, with what was done between the steps.
  package var duration = Duration.zero
  /// SQLite's query plan, a line for each step, indented below the step that it belongs to, where it was asked for.
  var plan: [String] = []

  package init(
    store: String,
    sql: String,
    bindings: [SQLValue] = [],
    triggers: [String] = [],
    rows: [[SQLValue]] = [],
    rowCount: Int = 0,
    changeCount: Int? = nil,
    duration: Duration = Duration.zero,
    plan: [String] = []
  ) {
    self.store = store
    self.sql = sql
    self.bindings = bindings
    self.triggers = triggers
    self.rows = rows
    self.rowCount = rowCount
    self.changeCount = changeCount
    self.duration = duration
    self.plan = plan
  }
}

extension ExecutedStatement {
  /// The statement with only some of its details, so that an observer does not get the details that
  /// another one has requested.
  package func with(_ details: StatementDetails) -> ExecutedStatement {
    var statement = self
    if !details.contains(.bindings) { statement.bindings = [] }
    if !details.contains(.triggers) { statement.triggers = [] }
    if !details.contains(.rows) { statement.rows = [] }
    if !details.contains(.plan) { statement.plan = [] }
    return statement
  }
}

/// The details of a statement that take time to find out.
package struct StatementDetails: OptionSet, Sendable {
  package let rawValue: Int

  package static let bindings = StatementDetails(rawValue: 1)
  static let triggers = StatementDetails(rawValue: 2)
  package static let rows = StatementDetails(rawValue: 4)
  static let plan = StatementDetails(rawValue: 8)

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// - Returns: `nil` if statements are not logged.
  init?(_ level: DebugSettings.SQLLevel) {
    guard level > .off else { return nil }
    self = []
    if level >= .bindings { formUnion([.bindings, .triggers]) }
    if level >= .rows { insert(.rows) }
    if level >= .plans { insert(.plan) }
  }
}
