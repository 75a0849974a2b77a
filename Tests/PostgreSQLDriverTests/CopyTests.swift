#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("COPY", .enabled(if: TestServer.isThere, TestServer.reason))
  struct CopyTests {
    private struct Stop: Error {}

    let connection: PostgreSQLConnection

    init() throws {
      connection = try TestServer.connect()
      try connection.run("CREATE TEMPORARY TABLE copied (n int8 PRIMARY KEY, name text)")
    }

    private func count() throws -> Int64? {
      try connection.run("SELECT count(*) FROM copied").integer(0, column: 0)
    }

    @Test("Rows are copied in parts that need not end with a row")
    func rows() throws {
      var parts = ["1\ta\n2", "\tb\n", "", "3\t\\N\n"][...]
      let count = try connection.copy("COPY copied FROM STDIN") { parts.popFirst().map { Data($0.utf8) } }
      #expect(count == 3)
      #expect(try connection.run("SELECT name FROM copied WHERE n = 2").text(0, column: 0) == "b")
      #expect(try connection.copy("COPY copied FROM STDIN") { nil } == 0)
    }

    @Test("A million rows are copied, in one part or in many")
    func many() throws {
      var number = 0
      let part = { (count: Int) -> Data? in
        if number >= 500_000 { return nil }
        defer { number += count }
        return Data((number..<number + count).map { "\($0)\tname\n" }.joined().utf8)
      }
      #expect(try connection.copy("COPY copied FROM STDIN") { part(1000) } == 500_000)
      number = 0
      try connection.run("TRUNCATE copied")
      #expect(try connection.copy("COPY copied FROM STDIN") { part(500_000) } == 500_000)
      #expect(try count() == 500_000)
    }

    @Test("An error of the source ends the COPY, keeps no row, and is thrown")
    func thrown() throws {
      var isFirst = true
      #expect(throws: Stop.self) {
        _ = try connection.copy("COPY copied FROM STDIN") {
          if !isFirst { throw Stop() }
          isFirst = false
          return Data("1\ta\n".utf8)
        }
      }
      #expect(connection.transaction == .none)
      #expect(try count() == 0)
    }

    @Test("An unreadable or duplicate row ends the COPY with the server's error")
    func refused() throws {
      let unreadable = try failure { try copy(["x\ta\n"]) }
      #expect(unreadable.state == "22P02")
      #expect(try failure { try copy(["1\ta\n", "1\tb\n"]) }.isUniqueViolation)
      // The server refuses the first row while the client still sends the others.
      let early = try failure {
        try copy(["x\ta\n"] + (0..<100).map { "\($0)\t\(String(repeating: "a", count: 100_000))\n" })
      }
      #expect(early.state == "22P02")
      #expect(try count() == 0)
    }

    @Test("Another statement than COPY is refused, and the connection stays usable")
    func noCopy() throws {
      #expect(try failure { try connection.copy("SELECT 1") { nil } }.state == "0A000")
      #expect(try failure { try connection.copy("COPY nothing_there FROM STDIN") { nil } }.state == "42P01")
      #expect(try count() == 0)
    }

    @Test("A COPY that is not done by its deadline ends, and keeps no row")
    func late() throws {
      connection.deadline = .now + .milliseconds(50)
      var number = 0
      let error = try failure {
        try connection.copy("COPY copied FROM STDIN") {
          number += 1
          return Data("\(number)\ta\n".utf8)
        }
      }
      #expect(error.isTimeout && error.state == "57014")
      connection.deadline = TestServer.soon
      #expect(try count() == 0)
    }

    private func copy(_ rows: [String]) throws -> Int {
      var rows = rows[...]
      return try connection.copy("COPY copied FROM STDIN") { rows.popFirst().map { Data($0.utf8) } }
    }
  }
#endif
