#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Cancelling", .enabled(if: TestServer.isThere, TestServer.reason))
  struct CancellingTests {
    let connection: PostgreSQLConnection

    init() throws { connection = try TestServer.connect() }

    @Test("A statement is cancelled by another thread, and the connection stays usable")
    func statement() throws {
      let job = Job { [connection] in try failure { try connection.run("SELECT pg_sleep(86400)") } }
      try TestServer.wait(untilAsleep: connection.processID)
      connection.cancel()
      let error = try job.value()
      #expect(error.isCancelled && error.state == "57014" && !error.isTimeout && !error.isConnectionLost)
      #expect(try connection.run("SELECT 1").integer(0, column: 0) == 1)
    }

    @Test("A batch is canceled completely")
    func batch() throws {
      let statements = ["SELECT 1", "SELECT pg_sleep(86400)", "SELECT 2"].map { PostgreSQLStatement(sql: $0) }
      let job = Job { [connection] in try failure { try connection.run(statements) } }
      try TestServer.wait(untilAsleep: connection.processID)
      connection.cancel()
      let error = try job.value()
      #expect(error.isCancelled && error.statementIndex == 1)
      #expect(try connection.run(Array(statements.prefix(1))).count == 1)
    }

    @Test("Canceling without a running statement has no effect")
    func nothing() throws {
      connection.cancel()
      #expect(try connection.run("SELECT 1").integer(0, column: 0) == 1)
      connection.cancel()
      connection.close()
      connection.cancel()
    }

    @Test("A statement after a canceled one is not canceled")
    func next() throws {
      for _ in 0..<50 {
        let job = Job { [connection] in
          let isCancelled = (try? connection.run("SELECT pg_sleep(86400)")) == nil
          // The query begins as soon as the request has cancelled the previous statement.
          return try (isCancelled, connection.run("SELECT count(*) FROM pg_class").rowCount)
        }
        try TestServer.wait(untilAsleep: connection.processID)
        connection.cancel()
        #expect(try job.value() == (true, 1))
      }
    }

    @Test("A statement that is not done by its deadline is cancelled at the server")
    func deadline() throws {
      let beginning = ContinuousClock.now
      connection.deadline = beginning + .milliseconds(100)
      let error = try failure { try connection.run("SELECT pg_sleep(86400)") }
      #expect(
        error.isTimeout && !error.isCancelled && error.state == "57014"
          && error.description.contains("deadline")
      )
      #expect(ContinuousClock.now - beginning >= .milliseconds(100))
      connection.deadline = TestServer.soon
      #expect(try connection.run("SELECT 1").integer(0, column: 0) == 1)
    }

    @Test("Work that is cancelled before its statement begins sends none, and ends its transaction")
    func work() throws {
      var late: @Sendable () -> Void = {}
      let error = try failure {
        try connection.cancellable({ late = $0 }) {
          try connection.run("BEGIN")
          late()
          defer { _ = try? connection.evenWhereCancelled { try connection.run("ROLLBACK") } }
          return try connection.run("SELECT pg_sleep(86400)")
        }
      }
      #expect(error.isCancelled && !error.isTimeout)
      #expect(connection.transaction == .none && connection.isUsable)
      // The statement has finished, so there is nothing left to cancel.
      late()
      #expect(try connection.run("SELECT 1").integer(0, column: 0) == 1)
    }

    @Test("Nothing is sent after the deadline")
    func past() throws {
      connection.deadline = .now
      #expect(try failure { try connection.run("BEGIN") }.isTimeout)
      #expect(try failure { try connection.run([PostgreSQLStatement(sql: "BEGIN")]) }.isTimeout)
      #expect(try failure { try connection.runScript("BEGIN") }.isTimeout)
      #expect(connection.transaction == .none && connection.isUsable)
    }

    @Test("The deadline holds for scripts, batches and statements that are to be prepared")
    func kinds() throws {
      let kinds: [(PostgreSQLConnection) throws -> Void] = [
        { try $0.runScript("SELECT 1; SELECT pg_sleep(86400)") },
        {
          _ = try $0.run([
            PostgreSQLStatement(sql: "SELECT 1"), PostgreSQLStatement(sql: "SELECT pg_sleep(86400)"),
          ])
        },
        { try $0.run("SELECT pg_sleep($1)", values: [.integer(86_400)], isCached: true) },
      ]
      for run in kinds {
        connection.deadline = .now + .milliseconds(100)
        #expect(try failure { try run(connection) }.isTimeout)
        #expect(connection.isUsable)
      }
    }
  }
#endif
