#if PostgreSQL
  /// A statement that a connection has run, for a log.
  package struct PostgreSQLRun {
    package let sql: String
    /// The values that were bound.
    package let values: [PostgreSQLValue]
    /// The rows that it has answered; `nil` after an error, and for a script or a COPY.
    package let result: PostgreSQLResult?
    /// The number of rows that it has changed; `nil` for a statement that changes none by its nature.
    package let changedCount: Int?
    /// The time until the answer was there. Of statements that went together, the last one has the time of all.
    package let duration: Duration

    init(
      sql: String,
      values: [PostgreSQLValue] = [],
      result: PostgreSQLResult? = nil,
      changedCount: Int? = nil,
      duration: Duration
    ) {
      self.sql = sql
      self.values = values
      self.result = result
      self.duration = duration
      let changes = result.map { ["INSERT", "UPDATE", "DELETE", "MERGE"].contains($0.command) } ?? false
      self.changedCount = changes ? result?.changedCount : changedCount
    }
  }

  extension PostgreSQLConnection {
    /// Runs a statement, and reports the run to ``didRun`` whether it succeeds or fails.
    func telling(_ statement: PostgreSQLStatement, _ run: () throws -> PostgreSQLResult) throws -> PostgreSQLResult {
      guard let didRun else { return try run() }
      let start = ContinuousClock.now
      var result: PostgreSQLResult?
      defer {
        didRun(
          PostgreSQLRun(
            sql: statement.sql,
            values: statement.values,
            result: result,
            duration: start.duration(to: .now)
          )
        )
      }
      let answer = try run()
      result = answer
      return answer
    }

    /// Reports statements that were sent together.
    ///
    /// - Parameter results: the results before the first failure.
    func tell(of batch: [PostgreSQLStatement], results: [PostgreSQLResult], since start: ContinuousClock.Instant) {
      guard let didRun else { return }
      let told = batch.prefix(results.count + 1)
      for (index, statement) in told.enumerated() {
        didRun(
          PostgreSQLRun(
            sql: statement.sql,
            values: statement.values,
            result: index < results.count ? results[index] : nil,
            duration: index == told.count - 1 ? start.duration(to: .now) : .zero
          )
        )
      }
    }
  }
#endif
