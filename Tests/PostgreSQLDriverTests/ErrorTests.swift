#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Errors", .enabled(if: TestServer.isThere, TestServer.reason))
  struct ErrorTests {
    let connection: PostgreSQLConnection

    init() throws { connection = try TestServer.connect() }

    @Test("A syntax error has its position")
    func position() throws {
      let error = try failure { try connection.run("SELECT 1 FROM WHERE") }
      #expect(error.state == "42601" && error.position == 15 && error.statementIndex == nil)
      #expect(connection.transaction == .none && connection.isUsable)
    }

    @Test("A violation has the names, and the values only in its detail")
    func violation() throws {
      try connection.runScript(
        """
        CREATE TEMPORARY TABLE unique_names (name text CONSTRAINT one_of_each UNIQUE, number int NOT NULL);
        INSERT INTO unique_names VALUES ('hidden', 1)
        """
      )
      let insertion = "INSERT INTO unique_names VALUES ($1, $2)"
      let error = try failure { try connection.run(insertion, values: [.text("hidden"), .integer(1)]) }
      #expect(error.isUniqueViolation && error.table == "unique_names" && error.constraint == "one_of_each")
      #expect(error.schema?.hasPrefix("pg_temp") == true)
      #expect(error.detail?.contains("hidden") == true)
      var text = ""
      dump(error, to: &text)
      for text in [text, "\(error)", String(reflecting: error), error.localizedDescription, error.message] {
        #expect(!text.contains("hidden"))
      }
      let missing = try failure { try connection.run(insertion, values: [.text("b"), .null]) }
      #expect(missing.state == "23502" && missing.column == "number")
    }

    @Test("A value that the server cannot read is not repeated")
    func badValue() throws {
      for (type, value) in [("int", "hidden"), ("uuid", "hid\"den"), ("date", "hidden"), ("int2", "99999")] {
        let error = try failure { try connection.run("SELECT $1::\(type)", values: [.text(value)]) }
        #expect(error.state.hasPrefix("22"))
        #expect(!"\(error)".contains("hid") && !"\(error)".contains("99999"))
      }
    }

    @Test("A text with U+0000 is refused before anything is sent, and the error names it")
    func zero() throws {
      try connection.runScript("BEGIN")
      let error = try failure {
        try connection.run("SELECT $1, $2::text", values: [.null, .text("hid\u{0}den")])
      }
      #expect(error.description.contains("Value 2") && error.description.contains("U+0000"))
      #expect(!error.description.contains("hid"))
      _ = try failure { try connection.run("SELECT 1; \u{0}") }
      _ = try failure { try connection.runScript("SELECT 1; \u{0}") }
      #expect(connection.transaction == .open)
    }

    @Test("The state of the transaction is reported")
    func transaction() throws {
      #expect(connection.transaction == .none)
      try connection.run("BEGIN")
      #expect(connection.transaction == .open)
      _ = try failure { try connection.run("SELECT 1 / 0") }
      #expect(connection.transaction == .failed)
      #expect(try failure { try connection.run("SELECT 1") }.state == "25P02")
      try connection.run("ROLLBACK")
      #expect(connection.transaction == .none)
      connection.close()
      #expect(connection.transaction == .unknown && !connection.isUsable)
      let error = try failure { try connection.run("SELECT 1") }
      #expect(error.isConnectionLost && error.state == "08003")
    }

    @Test("A script runs all its statements, or none")
    func script() throws {
      try connection.runScript("CREATE TEMPORARY TABLE steps (n int); INSERT INTO steps VALUES (1)")
      let script = "INSERT INTO steps VALUES (2); SELECT 1 / 0; INSERT INTO steps VALUES (3)"
      #expect(try failure { try connection.runScript(script) }.state == "22012")
      #expect(try connection.run("SELECT count(*) FROM steps").integer(0, column: 0) == 1)
      try connection.runScript("")
    }

    @Test("A serialization failure and an unavailable lock are distinguished")
    func conflicts() throws {
      let other = try TestServer.connect()
      let table = "conflicts_\(connection.processID)"
      try connection.runScript("CREATE TABLE \(table) AS SELECT 1 AS n")
      defer { try? connection.runScript("ROLLBACK; DROP TABLE \(table)") }
      for one in [connection, other] {
        try one.runScript("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT n FROM \(table)")
      }
      try connection.runScript("UPDATE \(table) SET n = 2")
      #expect(try failure { try other.run("SELECT n FROM \(table) FOR UPDATE NOWAIT") }.isLockTimeout)
      try other.runScript("ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT n FROM \(table)")
      try connection.run("COMMIT")
      #expect(try failure { try other.run("UPDATE \(table) SET n = 3") }.isSerializationFailure)
      try other.run("ROLLBACK")
    }

    @Test("A COPY as a statement is refused, and does not hang")
    func copyAsStatement() throws {
      for statement in ["COPY (SELECT 1) TO STDOUT", "COPY pg_class FROM STDIN"] {
        let connection = try TestServer.connect()
        #expect(
          try failure { try connection.runScript(statement) }.state.hasPrefix("0A") || !connection.isUsable
        )
        let batched = try TestServer.connect()
        _ = try failure {
          try batched.run([PostgreSQLStatement(sql: statement), PostgreSQLStatement(sql: "SELECT 1")])
        }
      }
    }
  }
#endif
