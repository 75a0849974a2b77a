#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Opening connections", .enabled(if: TestServer.isThere, TestServer.reason))
  struct OpeningTests {
    @Test("A connection knows the server's version, and sends its application name")
    func names() throws {
      let connection = try PostgreSQLConnection(
        TestServer.address(),
        applicationName: "tests of the driver",
        deadline: TestServer.soon
      )
      #expect(connection.serverVersion >= 140_000 && connection.isUsable && connection.processID > 0)
      let settings = try connection.run(
        "SELECT current_setting('application_name'), current_setting('client_encoding')"
      )
      #expect(settings.text(0, column: 0) == "tests of the driver" && settings.text(0, column: 1) == "UTF8")
    }

    @Test("A server that is not there, and a database that is not, are reported")
    func refused() throws {
      let (host, port) = try TestServer.place()
      let error = try failure { try connect("postgresql://\(host):1/postgres") }
      #expect(error.state == "08001" && error.isConnectionRefused && !error.isTimeout)
      let missing = try failure { try connect("postgresql://perennial@\(host):\(port)/no_such_database") }
      #expect(missing.state == "08001" && missing.message.contains("no_such_database"))
    }

    @Test("A server that does not answer is given up at the deadline")
    func silent() throws {
      let server = try SilentServer()
      let address = try PostgreSQLAddress("postgresql://127.0.0.1:\(server.port)/postgres")
      let error = try failure {
        try PostgreSQLConnection(address, deadline: .now + .milliseconds(200))
      }
      #expect(error.state == "08001" && error.isTimeout)
      #expect(error.description.contains("\(server.port)"))
      let late = try failure { try PostgreSQLConnection(address, deadline: .now) }
      #expect(late.isTimeout)
    }

    @Test("The next host is connected to when one refuses or does not answer")
    func hosts() throws {
      let server = try SilentServer()
      let (host, port) = try TestServer.place()
      let hosts = "127.0.0.1:1,127.0.0.1:\(server.port),\(host):\(port)"
      let address = try PostgreSQLAddress("postgresql://perennial@\(hosts)/postgres?connect_timeout=1")
      let connection = try PostgreSQLConnection(address, deadline: TestServer.soon)
      #expect(try connection.run("SELECT 1").integer(0, column: 0) == 1)
      let error = try failure { try connect("postgresql://127.0.0.1:1,127.0.0.1:2/postgres") }
      #expect(error.message.contains("port 1 ") && error.message.contains("port 2 "))
    }

    @Test("A server on another machine must prove its identity")
    func verification() throws {
      let (host, port) = try TestServer.place()
      // 0.0.0.0 reaches this machine, but is not a loopback address.
      let error = try failure { try connect("postgresql://perennial@0.0.0.0:\(port)/postgres") }
      #expect(error.hint?.contains("sslmode") == true, "\(host)")
      _ = try connect("postgresql://perennial@0.0.0.0:\(port)/postgres?sslmode=disable")
    }

    @Test("A read-only server is not connected to unless it may be")
    func readOnly() throws {
      let (host, port) = try TestServer.place()
      let url = "postgresql://perennial@\(host):\(port)/postgres?options=-cdefault_transaction_read_only%3Don"
      #expect(try failure { try connect(url) }.state == "08001")
      _ = try connect(url + "&target_session_attrs=any")
    }

    @Test("A service file that is not there is reported")
    func service() throws {
      let error = try failure { try connect("postgresql://?service=no_such_service") }
      #expect(error.state == "08001" && error.message.contains("no_such_service"))
    }

    @Test("A password is in no description of an address or an error")
    func secrecy() throws {
      let (host, port) = try TestServer.place()
      var address = try PostgreSQLAddress("postgresql://nobody_of_that_name@\(host):\(port)/postgres")
      let plain = address
      address.password = "hidden"
      #expect(address != plain && address.password == "hidden")
      let error = try failure { try PostgreSQLConnection(address, deadline: TestServer.soon) }
      let connection = try TestServer.connect(
        {
          var address = try TestServer.address()
          address.password = "hidden"
          return address
        }()
      )
      let pool = PostgreSQLPool(address, count: 1)
      for value in [address, error, connection, pool, [address], Mirror(reflecting: address)] as [Any] {
        var text = ""
        dump(value, to: &text)
        for text in [text, "\(value)", String(reflecting: value)] { #expect(!text.contains("hidden")) }
      }
      address.password = "hid\u{0}den"
      let malformed = try failure { try PostgreSQLConnection(address) }
      #expect(malformed.state == "08001" && !malformed.description.contains("hid\u{0}"))
    }

    private func connect(_ url: String) throws -> PostgreSQLConnection {
      try PostgreSQLConnection(PostgreSQLAddress(url), deadline: TestServer.soon)
    }
  }
#endif
