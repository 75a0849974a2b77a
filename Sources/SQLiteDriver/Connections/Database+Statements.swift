import CSystemSQLite

extension Database {
  /// Prepares a statement for this time.
  ///
  /// - Throws: an error when the text has no statement, or more than one.
  package func makeStatement(sql: String) throws -> Statement { try makeStatement(sql, flags: 0) }

  /// A statement that is held prepared until the connection is closed or releases all.
  package func cachedStatement(sql: String) throws -> Statement {
    if let statement = statements.statement(sql) { return statement }
    let statement = try makeStatement(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    statements.hold(statement, sql: sql)
    return statement
  }

  /// The statement that is held prepared for the text of a request.
  ///
  /// - Parameters:
  ///   - text: the object that represents the text. The cache finds the statement fastest by it.
  ///   - isCounted: true where there may be many such texts: ``StatementCache/limit`` are held at most.
  package func cachedStatement(sql: String, text: AnyObject?, isCounted: Bool) throws -> Statement {
    if let text, let statement = statements.statement(of: text) { return statement }
    if isCounted { statements.countRequest(sql) }
    let statement = try cachedStatement(sql: sql)
    if let text { statements.hold(statement, of: text) }
    return statement
  }

  /// Releases all statements that are held prepared. Those in use live until their users release them.
  package func releaseStatements() { statements.removeAll() }

  private func makeStatement(_ sql: String, flags: UInt32) throws -> Statement {
    try sql.withCString { start in
      let (statement, rest) = try prepare(start, flags: flags)
      guard let statement else { throw DatabaseError(message: "empty statement", sql: sql) }
      guard rest.pointee == 0 || hasNothing(rest) else {
        throw DatabaseError(
          resultCode: .SQLITE_MISUSE,
          message: "there are several statements where one is expected",
          sql: sql
        )
      }
      return statement
    }
  }

  /// Runs several statements in order.
  ///
  /// - Parameter arguments: the values of all statements, in their order.
  /// - Throws: an error when they are too few or too many.
  package func execute(sql: String, arguments: [any DatabaseValueConvertible] = []) throws {
    var arguments = arguments[...]
    try sql.withCString { start in
      var rest = start
      while rest.pointee != 0 {
        let (statement, next) = try prepare(rest, flags: 0)
        rest = next
        guard let statement else { break }
        let taken = arguments.prefix(statement.parameterCount)
        arguments = arguments.dropFirst(taken.count)
        try statement.bind(taken)
        try requireTransaction(sql: statement.sql)
        try statement.execute()
      }
    }
    if !arguments.isEmpty { throw Statement.wrongCount(arguments.count, sql: sql) }
  }

  /// True when a text has comments and spaces alone.
  private func hasNothing(_ text: UnsafePointer<CChar>) -> Bool {
    guard let (statement, _) = try? prepare(text, flags: 0) else { return false }
    return statement == nil
  }

  /// Prepares the first statement of a text.
  ///
  /// - Returns: the statement, or `nil` if the text contains only comments and white space; and the
  ///   rest of the text after the statement.
  private func prepare(_ text: UnsafePointer<CChar>, flags: UInt32) throws -> (Statement?, rest: UnsafePointer<CChar>) {
    var statement: OpaquePointer?
    var rest: UnsafePointer<CChar>?
    let code = sqlite3_prepare_v3(sqliteConnection, text, -1, flags, &statement, &rest)
    guard code == SQLITE_OK else { throw failure(code, sql: String(cString: text)) }
    return (statement.map { Statement($0, of: self) }, rest ?? text)
  }
}

// MARK: - Answers

extension DatabaseValueConvertible {
  /// The first column of the first row that a query answers.
  ///
  /// - Returns: `nil` for no row, and for null.
  /// - Throws: an error for a value that does not have the type.
  package static func fetchOne(
    _ database: Database,
    sql: String,
    arguments: [any DatabaseValueConvertible] = []
  ) throws -> Self? {
    let statement = try database.query(sql, arguments: arguments)
    guard try statement.step() else { return nil }
    let value = firstValue(statement)
    if let converted = Self(databaseValue: value) { return converted }
    if value == .null { return nil }
    throw mismatch(statement)
  }

  /// The first column of each row that a query answers; null where the type is optional.
  ///
  /// - Throws: an error for a value that does not have the type.
  package static func fetchAll(
    _ database: Database,
    sql: String,
    arguments: [any DatabaseValueConvertible] = []
  ) throws -> [Self] {
    let statement = try database.query(sql, arguments: arguments)
    var values: [Self] = []
    while try statement.step() {
      let value = Self.firstValue(statement)
      guard let converted = Self(databaseValue: value) else { throw mismatch(statement) }
      values.append(converted)
    }
    return values
  }

  fileprivate static func firstValue(_ statement: Statement) -> DatabaseValue {
    DatabaseValue(sqlite3_column_value(statement.sqliteStatement, 0))
  }

  fileprivate static func mismatch(_ statement: Statement) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISMATCH, message: "a value is not \(Self.self)", sql: statement.sql)
  }
}

extension DatabaseRow {
  /// The first row that a query answers.
  package static func fetchOne(
    _ database: Database,
    sql: String,
    arguments: [any DatabaseValueConvertible] = []
  ) throws -> DatabaseRow? {
    let statement = try database.query(sql, arguments: arguments)
    guard try statement.step() else { return nil }
    return DatabaseRow(columns: statement.columnNames, values: statement.values)
  }

  /// The rows that a query answers.
  package static func fetchAll(
    _ database: Database,
    sql: String,
    arguments: [any DatabaseValueConvertible] = []
  ) throws -> [DatabaseRow] {
    let statement = try database.query(sql, arguments: arguments)
    var rows: [DatabaseRow] = []
    while try statement.step() {
      rows.append(DatabaseRow(columns: statement.columnNames, values: statement.values))
    }
    return rows
  }
}

extension Database {
  fileprivate func query(_ sql: String, arguments: [any DatabaseValueConvertible]) throws -> Statement {
    let statement = try makeStatement(sql: sql)
    try statement.bind(arguments)
    try requireTransaction(sql: sql)
    return statement
  }
}
