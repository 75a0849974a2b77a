#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Lost connections", .enabled(if: TestServer.isThere, TestServer.reason))
  struct LossTests {
    let connection: PostgreSQLConnection

    init() throws { connection = try TestServer.connect() }

    @Test("A connection that the server ended while it was idle is reported as lost")
    func idle() throws {
      try TestServer.terminate(connection)
      let error = try failure { try connection.run("SELECT 1") }
      #expect(error.isConnectionLost && error.state == "08006")
      #expect(!connection.isUsable && connection.transaction == .unknown)
      #expect(try failure { try connection.run("SELECT 1") }.isConnectionLost)
      #expect(try failure { try connection.notifications(until: .now) }.isConnectionLost)
    }

    @Test("A connection that the server ends in the middle of a statement is reported as lost")
    func working() throws {
      let job = Job { [connection] in try failure { try connection.run("SELECT pg_sleep(86400)") } }
      try TestServer.wait(untilAsleep: connection.processID)
      try TestServer.terminate(connection)
      let error = try job.value()
      #expect(error.isConnectionLost && error.state == "08006" && error.message.contains("terminating"))
      #expect(!connection.isUsable)
    }

    @Test("A batch, a script and a COPY on a connection that is gone are reported as lost")
    func kinds() throws {
      let kinds: [(PostgreSQLConnection) throws -> Void] = [
        {
          _ = try $0.run(
            (0..<100).map {
              PostgreSQLStatement(sql: "SELECT $1::int8", values: [.integer($0)], isCached: true)
            }
          )
        },
        { try $0.runScript("SELECT 1; SELECT 2") },
        { _ = try $0.copy("COPY copied FROM STDIN") { Data("1\n".utf8) } },
        { _ = try $0.run("SELECT $1::text", values: [.text(String(repeating: "a", count: 20_000_000))]) },
        { try $0.run("SELECT 1", isCached: true) },
      ]
      for run in kinds {
        let connection = try TestServer.connect()
        try connection.run("CREATE TEMPORARY TABLE copied (n int8)")
        try TestServer.terminate(connection)
        #expect(try failure { try run(connection) }.isConnectionLost)
        #expect(!connection.isUsable)
      }
    }

    @Test("A COPY whose server goes away meanwhile is reported as lost")
    func copying() throws {
      try connection.run("CREATE TEMPORARY TABLE copied (n int8)")
      var isTerminated = false
      let error = try failure {
        try connection.copy("COPY copied FROM STDIN") {
          if !isTerminated { try TestServer.terminate(connection) }
          isTerminated = true
          return Data(String(repeating: "1\n", count: 100_000).utf8)
        }
      }
      #expect(error.isConnectionLost)
    }

    @Test(
      "A server that does not answer in the middle of a statement is given up some time after the deadline",
      arguments: [1, 20_000_000]
    )
    func silent(_ count: Int) throws {
      let relay = try Relay(to: TestServer.place())
      var components = try #require(URLComponents(string: TestServer.address().description))
      components.port = relay.port
      let url = try #require(components.string)
      let connection = try TestServer.connect(PostgreSQLAddress(url))
      #expect(try connection.run("SELECT 1").rowCount == 1)
      relay.pause()
      let value = PostgreSQLValue.bytes(Data(repeating: 1, count: count))
      connection.deadline = .now + .milliseconds(300)
      let error = try failure { try connection.run("SELECT $1::bytea", values: [value]) }
      #expect(error.isTimeout && error.isConnectionLost && !connection.isUsable)
    }
  }
#endif
