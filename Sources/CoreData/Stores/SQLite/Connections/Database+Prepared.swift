import SQLiteDriver

extension Database {
  /// The statement as the connection holds it prepared, or one for this time alone.
  ///
  /// - Parameter isCounted: true where there may be many such statements.
  func prepared(_ statement: SQLStatement, isCounted: Bool) throws -> Statement {
    // A statement with more values was built from a list, and will not be repeated.
    if isCounted, statement.bindings.count > Self.mostHeldBindings { return try makeStatement(sql: statement.sql) }
    return try cachedStatement(sql: statement.sql, text: statement.text, isCounted: isCounted)
  }

  private static let mostHeldBindings = 20
}
