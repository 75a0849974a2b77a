#if PostgreSQL
  /// The statements between which a connection runs each statement that is no part of a transaction: it is
  /// one by itself then, in one round trip.
  package struct PostgreSQLEnclosure: Sendable {
    private let before: [PostgreSQLStatement]
    private let after: [PostgreSQLStatement]

    /// - Parameters:
    ///   - before: begins a transaction, and gives it its settings.
    ///   - after: ends it.
    package init(before: [PostgreSQLStatement], after: [PostgreSQLStatement]) {
      self.before = before
      self.after = after
    }

    func run(_ statement: PostgreSQLStatement, on connection: PostgreSQLConnection) throws -> PostgreSQLResult
    {
      do {
        return try connection.run(before + [statement] + after)[before.count]
      } catch var error as PostgreSQLError {
        error.statementIndex = nil
        // What the pool gets back has no transaction.
        if connection.isUsable, connection.transaction != .none { try? connection.runScript("ROLLBACK") }
        throw error
      }
    }
  }
#endif
