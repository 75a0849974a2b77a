#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Batches", .enabled(if: TestServer.isThere, TestServer.reason))
  struct BatchTests {
    let connection: PostgreSQLConnection

    init() throws { connection = try TestServer.connect() }

    private func numbers() throws -> [Int64?] {
      let result = try connection.run("SELECT n FROM numbers ORDER BY n")
      return (0..<result.rowCount).map { result.integer($0, column: 0) }
    }

    @Test("The results are in the order of the statements", arguments: [false, true])
    func order(_ isCached: Bool) throws {
      #expect(try connection.run([PostgreSQLStatement]()).isEmpty)
      for _ in 0..<2 {
        let batch = (0..<1000).map {
          PostgreSQLStatement(sql: "SELECT $1::int8", values: [.integer($0)], isCached: isCached)
        }
        let results = try connection.run(batch)
        #expect(results.map { $0.integer(0, column: 0) } == (0..<1000).map { Int64($0) })
      }
      let mixed = try connection.run([
        PostgreSQLStatement(sql: "CREATE TEMPORARY TABLE numbers (n int8)"),
        PostgreSQLStatement(sql: "INSERT INTO numbers VALUES (1), (2)"),
        PostgreSQLStatement(sql: "SELECT count(*) FROM numbers"),
        PostgreSQLStatement(sql: ""),
      ])
      #expect(mixed.map(\.changedCount) == [0, 2, 1, 0])
      #expect(mixed[2].integer(0, column: 0) == 2)
    }

    @Test(
      "An error in the middle has its index, undoes all, and leaves the connection usable",
      arguments: [false, true]
    )
    func failing(_ isCached: Bool) throws {
      try connection.run("CREATE TEMPORARY TABLE numbers (n int8 UNIQUE)")
      let batch = [1, 2, 1, 3].map {
        PostgreSQLStatement(
          sql: "INSERT INTO numbers VALUES ($1)",
          values: [.integer($0)],
          isCached: isCached
        )
      }
      let error = try failure { try connection.run(batch) }
      #expect(error.isUniqueViolation && error.statementIndex == 2)
      #expect(error.description.contains("2"))
      #expect(connection.transaction == .none)
      #expect(try numbers() == [])
      let unreadable = try failure {
        try connection.run([batch[0], PostgreSQLStatement(sql: "SELEC", isCached: isCached), batch[1]])
      }
      #expect(unreadable.state == "42601" && unreadable.statementIndex == 1)
      #expect(try numbers() == [])
      #expect(try connection.run([batch[0], batch[1]]).map(\.changedCount) == [1, 1])
    }

    @Test("A transaction begins with its settings and first statements, and the settings end with it")
    func settings() throws {
      let question = PostgreSQLStatement(sql: "SELECT current_setting('lock_timeout')")
      connection.settings = [PostgreSQLStatement(sql: "SET LOCAL lock_timeout TO 1234")]
      let results = try connection.begin("BEGIN", statements: [question, question])
      #expect(results.map { $0.text(0, column: 0) } == ["1234ms", "1234ms"])
      try connection.run("COMMIT")
      #expect(try connection.run(question.sql).text(0, column: 0) != "1234ms")
      try connection.begin("BEGIN READ ONLY")
      #expect(try connection.run(question.sql).text(0, column: 0) == "1234ms")
      try connection.run("ROLLBACK")
    }

    @Test("The encoding of the database is known when a connection opens")
    func encoding() { #expect(connection.serverEncoding == "UTF8") }

    @Test("An error within a transaction leaves the rollback to the end of the transaction")
    func transaction() throws {
      try connection.run("CREATE TEMPORARY TABLE numbers (n int8 UNIQUE)")
      let insertion = PostgreSQLStatement(sql: "INSERT INTO numbers VALUES (1)")
      let begin = PostgreSQLStatement(sql: "BEGIN")
      #expect(try failure { try connection.run([begin, insertion, insertion]) }.statementIndex == 2)
      #expect(connection.transaction == .failed)
      _ = try connection.run([
        PostgreSQLStatement(sql: "ROLLBACK"), begin, insertion, PostgreSQLStatement(sql: "COMMIT"),
      ])
      #expect(connection.transaction == .none)
      #expect(try numbers() == [1])
    }

    @Test("An error at the commit is reported")
    func deferred() throws {
      try connection.run("CREATE TEMPORARY TABLE numbers (n int8 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
      let insertion = PostgreSQLStatement(sql: "INSERT INTO numbers VALUES (1)")
      #expect(try failure { try connection.run([insertion, insertion]) }.isUniqueViolation)
      #expect(try numbers() == [])
      #expect(try failure { try connection.run("INSERT INTO numbers VALUES (1), (1)") }.isUniqueViolation)
    }

    @Test("Large values and large answers do not wait for each other")
    func large() throws {
      let texts = (0..<6).map { String(repeating: "\($0)", count: 5_000_000) }
      let batch = texts.map { PostgreSQLStatement(sql: "SELECT $1::text", values: [.text($0)]) }
      #expect(try connection.run(batch).map { $0.text(0, column: 0) } == texts)
      let many = (0..<5000).map {
        PostgreSQLStatement(sql: "SELECT repeat('a', 10000), $1::int8", values: [.integer($0)])
      }
      #expect(try connection.run(many).map { $0.integer(0, column: 1) } == (0..<5000).map { Int64($0) })
    }

    @Test("A value that cannot be sent is refused before any statement is")
    func unsendable() throws {
      let batch = [
        PostgreSQLStatement(sql: "BEGIN"),
        PostgreSQLStatement(sql: "SELECT $1::text", values: [.text("\u{0}")]),
      ]
      #expect(try failure { try connection.run(batch) }.statementIndex == 1)
      #expect(connection.transaction == .none)
    }
  }
#endif
