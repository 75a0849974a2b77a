#if PostgreSQL
  /// The statements between which a connection runs statements that are no part of a transaction: they are
  /// one by themselves then, in one round trip.
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

    func run(
      _ statements: [PostgreSQLStatement],
      on connection: PostgreSQLConnection
    ) throws -> [PostgreSQLResult] {
      do {
        return Array(
          try connection.run(before + statements + after)[before.count...].prefix(statements.count)
        )
      } catch var error as PostgreSQLError {
        error.statementIndex = nil
        // What the pool gets back has no transaction.
        if connection.isUsable, connection.transaction != .none { try? connection.runScript("ROLLBACK") }
        throw error
      }
    }
  }
#endif
