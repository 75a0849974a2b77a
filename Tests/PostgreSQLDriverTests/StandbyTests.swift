#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite(
    "Transactions that wait for a standby server",
    .enabled(if: TestServer.waitsForStandby, "the server waits for no standby; see Scripts/postgresql")
  )
  struct StandbyTests {
    /// The ways in which a transaction is sent.
    enum Way: CaseIterable {
      case statement, preparedStatement, batch, enclosed, script, copy, commit

      /// Inserts a row and commits.
      func insert(into table: String, _ connection: PostgreSQLConnection) throws {
        let sql = "INSERT INTO \(table) VALUES (1)"
        switch self {
        case .statement: try connection.run(sql)
        case .preparedStatement: try connection.run(sql, isCached: true)
        case .batch: _ = try connection.run([PostgreSQLStatement(sql: sql), PostgreSQLStatement(sql: "SELECT 1")])
        case .enclosed:
          connection.enclosure = PostgreSQLImplicitTransaction(
            before: [PostgreSQLStatement(sql: "BEGIN")],
            after: [PostgreSQLStatement(sql: "COMMIT")]
          )
          defer { connection.enclosure = nil }
          try connection.run(sql)
        case .script: try connection.runScript(sql)
        case .copy:
          var lines = [Data("1\n".utf8)]
          _ = try connection.copy("COPY \(table) FROM STDIN") { lines.popLast() }
        case .commit:
          try connection.run("BEGIN")
          try connection.run(sql)
          try connection.run("COMMIT")
        }
      }
    }

    @Test("A committed transaction whose wait is cancelled throws, and the next one does not", arguments: Way.allCases)
    func cancelled(_ way: Way) throws {
      let (connection, other) = (try TestServer.connect(), try TestServer.connect())
      let table = "standby_\(UUID().uuidString.lowercased().prefix(8))"
      try other.run("CREATE TABLE \(table) (value integer)")
      defer { _ = try? other.run("DROP TABLE \(table)") }
      try connection.run("SET synchronous_commit TO on")
      let job = Job { try failure { try way.insert(into: table, connection) } }
      try TestServer.wait(untilAsleep: connection.processID, in: "SyncRep")
      connection.cancel()
      let error = try job.value()
      #expect(error.isUnreplicated && !error.isCancelled && !error.isTimeout && !error.isConnectionLost)
      #expect(try other.run("SELECT count(*) FROM \(table)").integer(0, column: 0) == 1)
      #expect(connection.transaction == .none)
      try connection.run("SET synchronous_commit TO local")
      try way.insert(into: table, connection)
      #expect(try other.run("SELECT count(*) FROM \(table)").integer(0, column: 0) == 2)
    }
  }
#endif
