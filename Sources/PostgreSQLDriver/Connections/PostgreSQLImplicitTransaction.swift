#if PostgreSQL
  /// The statements that a connection runs before and after statements outside a transaction. Together
  /// they are one transaction, in one round trip.
  package struct PostgreSQLImplicitTransaction: Sendable {
    private let before: [PostgreSQLStatement]
    private let after: [PostgreSQLStatement]

    /// - Parameters:
    ///   - before: begins a transaction, and gives it its settings.
    ///   - after: ends it.
    package init(before: [PostgreSQLStatement], after: [PostgreSQLStatement]) {
      self.before = before
      self.after = after
    }

    func run(_ statements: [PostgreSQLStatement], on connection: PostgreSQLConnection) throws -> [PostgreSQLResult] {
      do {
        return Array(try connection.run(before + statements + after)[before.count...].prefix(statements.count))
      } catch var error as PostgreSQLError {
        error.statementIndex = nil
        // The pool gets connections back without an open transaction.
        if connection.isUsable, connection.transaction != .none { try? connection.runScript("ROLLBACK") }
        throw error
      }
    }
  }
#endif
