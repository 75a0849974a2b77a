#if PostgreSQL
  /// The times after which a pool checks idle connections.
  package struct PostgreSQLChecks: Sendable {
    /// The idle time after which the pool checks whether the server has closed the connection.
    private let look: Duration
    /// The idle time after which the pool sends a query, because a proxy or firewall may have dropped the connection.
    private let question: Duration
    /// The time that the server has for an answer.
    let patience = Duration.seconds(5)

    package init(look: Duration = .seconds(1), question: Duration = .seconds(30)) {
      self.look = look
      self.question = question
    }

    /// True when a connection may be lent.
    func pass(_ connection: PostgreSQLConnection, idleSince beginning: ContinuousClock.Instant) -> Bool {
      let time = ContinuousClock.now - beginning
      if time < look { return connection.isUsable }
      let deadline = connection.deadline
      defer { connection.deadline = deadline }
      let limit = ContinuousClock.now + patience
      connection.deadline = min(limit, deadline ?? limit)
      return connection.check(asks: time >= question)
    }
  }
#endif
