#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Prepared statements", .enabled(if: TestServer.isThere, TestServer.reason))
  struct PreparedStatementTests {
    let connection: PostgreSQLConnection

    init() throws { connection = try TestServer.connect() }

    private func count() throws -> Int64? {
      try connection.run("SELECT count(*) FROM pg_prepared_statements").integer(0, column: 0)
    }

    private func makeTable() throws {
      try connection.runScript("CREATE TEMPORARY TABLE things AS SELECT 1 AS n")
    }

    private let query = "SELECT * FROM things WHERE n = $1"

    private func columns() throws -> Int {
      try connection.run(query, values: [.integer(1)], isCached: true).columnCount
    }

    @Test("A statement is prepared once, and only on request")
    func once() throws {
      for number in 0..<10 as Range<Int64> {
        #expect(
          try connection.run("SELECT $1::int8", values: [.integer(number)], isCached: true).integer(
            0,
            column: 0
          ) == number
        )
        try connection.run("SELECT $1::int4", values: [.integer(number)])
      }
      #expect(try count() == 1)
      connection.preparesStatements = false
      try connection.run("SELECT 2", isCached: true)
      _ = try connection.run([PostgreSQLStatement(sql: "SELECT 3", isCached: true)])
      #expect(try count() == 1)
    }

    @Test("No two connections give a statement the same name")
    func names() throws {
      let other = try TestServer.connect()
      let query = "SELECT name FROM pg_prepared_statements WHERE statement = 'SELECT 1'"
      let names = try [connection, other].map { connection in
        try connection.run("SELECT 1", isCached: true)
        return try connection.run(query).text(0, column: 0)
      }
      #expect(names.allSatisfy { $0 != nil } && Set(names).count == 2)
    }

    @Test("A statement is prepared again after a change of its table")
    func changed() throws {
      try makeTable()
      #expect(try columns() == 1)
      try connection.run("ALTER TABLE things ADD COLUMN m int")
      #expect(try columns() == 2)
      try connection.run("ALTER TABLE things ALTER COLUMN n TYPE int8")
      let batch = [
        PostgreSQLStatement(sql: "SELECT 1"),
        PostgreSQLStatement(sql: query, values: [.integer(1)], isCached: true),
      ]
      #expect(try connection.run(batch)[1].columnCount == 2)
      try connection.run("ALTER TABLE things DROP COLUMN m")
      #expect(try connection.run(batch)[1].columnCount == 1)
      #expect(try count() == 1)
    }

    @Test("A statement is prepared again when the server has lost all of them")
    func discarded() throws {
      try connection.run("SELECT 1", isCached: true)
      try connection.run("SELECT 2", isCached: true)
      try connection.run("DISCARD ALL")
      #expect(try connection.run("SELECT 1", isCached: true).integer(0, column: 0) == 1)
      try connection.run("DEALLOCATE ALL")
      let batch = ["SELECT 1", "SELECT 2"].map { PostgreSQLStatement(sql: $0, isCached: true) }
      #expect(try connection.run(batch).map { $0.integer(0, column: 0) } == [1, 2])
      #expect(try count() == 2)
    }

    @Test("Within a transaction the error is thrown, and the next statement is prepared again")
    func inTransaction() throws {
      try makeTable()
      _ = try columns()
      try connection.run("ALTER TABLE things ADD COLUMN m int")
      try connection.run("BEGIN")
      let error = try failure { try columns() }
      #expect(error.isPreparedStatementStale && connection.transaction == .failed)
      try connection.run("ROLLBACK")
      try connection.run("BEGIN")
      #expect(try columns() == 2)
      try connection.run("COMMIT")
      #expect(try count() == 1)
    }

    @Test("A batch that has ended a transaction is not run twice")
    func batchWithCommit() throws {
      try makeTable()
      _ = try columns()
      try connection.run("ALTER TABLE things ADD COLUMN m int")
      let batch = [
        PostgreSQLStatement(sql: "BEGIN"), PostgreSQLStatement(sql: "INSERT INTO things VALUES (1)"),
        PostgreSQLStatement(sql: "COMMIT"),
        PostgreSQLStatement(sql: query, values: [.integer(1)], isCached: true),
      ]
      let error = try failure { try connection.run(batch) }
      #expect(error.isPreparedStatementStale && error.statementIndex == 3)
      #expect(try connection.run(query, values: [.integer(1)], isCached: true).rowCount == 2)
    }

    @Test("A thousand different statements do not fill the server, and all are right")
    func bounded() throws {
      for number in 0..<1000 as Range<Int64> {
        #expect(try connection.run("SELECT \(number)::int8", isCached: true).integer(0, column: 0) == number)
        // A statement that is used again and again stays in the cache.
        try connection.run("SELECT 'often'", isCached: true)
      }
      #expect(try count() ?? 501 <= 500)
      let query = "SELECT count(*) FROM pg_prepared_statements WHERE statement = $1"
      let often = try connection.run(query, values: [.text("SELECT 'often'")])
      #expect(often.integer(0, column: 0) == 1)
      #expect(try connection.run("SELECT 3::int8", isCached: true).integer(0, column: 0) == 3)
    }

    @Test("Prepared statements that the server has lost cause no error in a transaction")
    func forgottenInTransaction() throws {
      for number in 0..<500 { try connection.run("SELECT \(number)", isCached: true) }
      try connection.run("DEALLOCATE ALL")
      try connection.run("BEGIN")
      #expect(try connection.run("SELECT 'new'", isCached: true).text(0, column: 0) == "new")
      try connection.run("COMMIT")
    }

    @Test("A batch of a thousand different statements does not fill the server, and all are right")
    func boundedBatch() throws {
      let batch = (0..<1000).map { PostgreSQLStatement(sql: "SELECT \($0)::int8", isCached: true) }
      for _ in 0..<2 {
        #expect(try connection.run(batch).map { $0.integer(0, column: 0) } == (0..<1000).map { Int64($0) })
        for start in stride(from: 0, to: 1000, by: 50) {
          _ = try connection.run(Array(batch[start..<start + 50]))
        }
      }
      #expect(try count() ?? 501 <= 500)
    }

    @Test("A statement that the server cannot read is not held")
    func unreadable() throws {
      for _ in 0..<2 {
        #expect(try failure { try connection.run("SELEC 1", isCached: true) }.position == 1)
      }
      try connection.run("BEGIN")
      _ = try failure { try connection.run("SELECT 1 / 0", isCached: true) }
      #expect(try failure { try connection.run("SELECT 1", isCached: true) }.state == "25P02")
      try connection.run("ROLLBACK")
      #expect(try connection.run("SELECT 1", isCached: true).integer(0, column: 0) == 1)
    }
  }
#endif
