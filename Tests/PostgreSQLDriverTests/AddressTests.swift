#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Addresses")
  struct AddressTests {
    @Test(
      "A URL's parameters are libpq's",
      arguments: [
        ("postgresql://", [:]),
        (
          "postgres://user@db.example.org:6432/shop",
          [
            "user": "user", "host": "db.example.org", "port": "6432", "dbname": "shop",
            "sslmode": "verify-full",
          ]
        ),
        ("postgresql://db.example.org/?sslmode=require", ["host": "db.example.org", "sslmode": "require"]),
        ("postgresql://localhost/shop", ["host": "localhost", "dbname": "shop"]),
        ("postgresql://127.8.9.1", ["host": "127.8.9.1"]),
        ("postgresql://[::1]:5433/", ["host": "::1", "port": "5433"]),
        ("postgresql://[2001:db8::1]/", ["host": "2001:db8::1", "sslmode": "verify-full"]),
        ("postgresql://128.0.0.1/", ["host": "128.0.0.1", "sslmode": "verify-full"]),
        ("postgresql://127.example.org/", ["host": "127.example.org", "sslmode": "verify-full"]),
        ("postgresql:///shop?host=/run/postgresql", ["host": "/run/postgresql", "dbname": "shop"]),
        ("postgresql://%2Frun%2Fpostgresql/shop", ["host": "/run/postgresql", "dbname": "shop"]),
        (
          "postgresql://one:1,two:2/shop",
          [
            "host": "one,two", "port": "1,2", "dbname": "shop", "sslmode": "verify-full",
          ]
        ),
        (
          "postgresql://localhost,two/shop",
          ["host": "localhost,two", "dbname": "shop", "sslmode": "verify-full"]
        ),
        ("postgresql://localhost,127.0.0.1/shop", ["host": "localhost,127.0.0.1", "dbname": "shop"]),
        (
          "postgresql://localhost/?hostaddr=10.0.0.1",
          [
            "host": "localhost", "hostaddr": "10.0.0.1", "sslmode": "verify-full",
          ]
        ),
        (
          "postgresql://u%40x@localhost/a%20b?application_name=me",
          [
            "user": "u@x", "host": "localhost", "dbname": "a b", "application_name": "me",
          ]
        ),
      ] as [(String, [String: String])]
    )
    func parameters(_ url: String, _ expected: [String: String]) throws {
      let address = try PostgreSQLAddress(url)
      var parameters = address.parameters
      #expect(parameters.removeValue(forKey: "target_session_attrs") == "read-write")
      #expect(parameters.removeValue(forKey: "tcp_user_timeout") == "10000")
      #expect(parameters.removeValue(forKey: "connect_timeout") == "5")
      #expect(parameters.removeValue(forKey: "keepalives_idle") == "10")
      #expect(parameters.removeValue(forKey: "keepalives_interval") == "3")
      #expect(parameters.removeValue(forKey: "keepalives_count") == "3")
      // libpq lists a port for each host, which may be empty.
      if parameters["port"]?.allSatisfy({ $0 == "," }) == true { parameters["port"] = nil }
      #expect(parameters == expected)
      #expect(address.schema == "perennial")
      #expect(address.description == url)
      #expect(address.password == nil)
    }

    @Test("The settings in a URL are kept")
    func given() throws {
      let url = "postgresql://localhost/?target_session_attrs=any&tcp_user_timeout=5&sslmode=disable"
      let parameters = try PostgreSQLAddress(url).parameters
      #expect(parameters["target_session_attrs"] == "any")
      #expect(parameters["tcp_user_timeout"] == "5")
      #expect(parameters["sslmode"] == "disable")
    }

    @Test("A service provides the settings that the URL lacks")
    func service() throws {
      let parameters = try PostgreSQLAddress("postgresql://?service=shop&schema=s").parameters
      #expect(parameters["service"] == "shop")
      #expect(parameters["sslmode"] == nil && parameters["target_session_attrs"] == nil)
    }

    @Test(
      "The schema is taken from anywhere in the query",
      arguments: [
        ("?schema=shop", "shop"), ("?a%70plication_name=x&schema=Gr%C3%B6%C3%9Fe&connect_timeout=3", "Größe"),
        ("?connect_timeout=3&s%63hema=a%26b", "a&b"),
        ("?schema=\(String(repeating: "a", count: 63))", String(repeating: "a", count: 63)),
        ("?connect_timeout=3", "perennial"), ("", "perennial"),
      ]
    )
    func schema(_ query: String, _ schema: String) throws {
      let address = try PostgreSQLAddress("postgresql://localhost/shop\(query)")
      #expect(address.schema == schema)
      #expect(address.parameters["schema"] == nil)
      #expect(address.parameters["connect_timeout"] == (query.contains("timeout") ? "3" : "5"))
    }

    @Test(
      "An invalid URL is refused with a remedy, and no part of it is repeated",
      arguments: [
        "", "secret", "mysql://secret@host/", "postgresql:secret", "postgresql://host:secret/",
        "postgresql://host:0/", "postgresql://host:70000/", "postgresql://[secret/",
        "postgresql://[::1]secret/",
        "postgresql://host/?sslmode", "postgresql://host/?sslmode=a=secret",
        "postgresql://host/?application_name=%zzsecret",
        "postgresql://host/?schema=", "postgresql://host/?schema",
        "postgresql://host/?schema=a&schema=secret",
        "postgresql://host/?schema=%zz", "postgresql://host/?schema=%ff",
        "postgresql://host/?schema=a%00secret",
        "postgresql://host/?schema=\(String(repeating: "é", count: 32))", "postgresql://host/\u{0}secret",
        "postgresql://host/%00secret", "postgresql://user:se/cret@host/", "postgresql://host/?unknown=secret",
        "postgresql://user@secret@host/", "postgresql://user:1/secret@host/",
        "postgresql://user:1?a=secret@host/",
        "postgresql://user/secret@host/db", "postgresql://host/db?application_name=a@secret",
      ]
    )
    func refused(_ url: String) throws {
      let error = try #require(throws: PostgreSQLAddressError.self) { _ = try PostgreSQLAddress(url) }
      #expect(!error.remedy.isEmpty && error.message.hasSuffix("."))
      #expect(error.description == "\(error.message) \(error.remedy)")
      #expect(error.localizedDescription == error.description)
      #expect(!error.description.contains("secret") && !error.description.contains("cret@"))
    }

    @Test(
      "A URL with a password is refused, and the password is not repeated",
      arguments: [
        "postgresql://user:secret@host/", "postgresql://user:secret?x@host/", "postgresql://:secret@host/",
        "postgresql://host/?password=secret", "postgresql://host/?p%61ssword=secret",
        "postgresql://user:secret@/", "postgresql://user:p@secret@host/",
        "postgresql://user:secret@tail@host/",
        "postgresql://host/?Password=secret", "postgresql://host/?%50assword=secret",
        "postgresql://host/db?PASSWD=secret", "postgresql://user:secret#x@host/",
        "postgresql://host/?sslpassword=secret", "postgres://user:secret@one,two/db?schema=a",
        "postgresql://user:secret@\u{301}host/", "postgresql://user:%73ecret@[broken/",
      ]
    )
    func password(_ url: String) throws {
      let error = try #require(throws: PostgreSQLAddressError.self) { _ = try PostgreSQLAddress(url) }
      #expect(!error.description.contains("secret"))
      #expect(error.remedy.contains("PGPASSWORD"))
    }

    @Test("An empty password counts as no password")
    func emptyPassword() throws {
      for url in ["postgresql://user:@localhost/", "postgresql://user@localhost/?password="] {
        let parameters = try PostgreSQLAddress(url).parameters
        #expect(parameters["password"] == nil && parameters["user"] == "user")
      }
    }
  }
#endif
