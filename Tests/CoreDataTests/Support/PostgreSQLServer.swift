#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// Gives tests access to the server of a PostgreSQL store.
  enum PostgreSQLServer {
    /// True if the tests run without a capability of the server.
    static func isWithout(_ capability: String) -> Bool {
      ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL_WITHOUT"]?.contains(capability) == true
    }

    /// True when a session that sets `synchronous_commit` waits for a standby, which is not there.
    static let waitsForStandby: Bool = {
      guard let url = StoreKind.directPostgreSQLServer else { return false }
      let query = "SELECT current_setting('synchronous_standby_names') = 'nobody'"
      return (try? PostgreSQLConnection(PostgreSQLAddress(url)).run(query).integer(0, column: 0)) == 1
    }()

    static func store(_ stack: Stack) throws -> PostgreSQLStore {
      try #require(stack.coordinator.persistentStores.first as? PostgreSQLStore)
    }

    static func connections(_ stack: Stack) throws -> PostgreSQLConnections {
      try store(stack).engine().connections
    }

    /// True if connections go through a pooler, which shares the server's sessions among them.
    static var isBehindBouncer: Bool { StoreKind.directPostgreSQLServer != StoreKind.postgreSQLServer }

    /// A connection to the server itself, where settings persist. Its search path includes the tables of a store.
    static func connection(to place: URL) throws -> PostgreSQLConnection {
      var server = try #require(StoreKind.directPostgreSQLServer.flatMap { URLComponents(string: $0) })
      server.path = place.path
      let connection = try PostgreSQLConnection(PostgreSQLAddress(#require(server.string)))
      let schema = try PostgreSQLAddress(place.absoluteString).schema
      try connection.run(
        "SELECT set_config('search_path', $1, false)",
        values: [.text(PostgreSQLConnection.identifier(schema))]
      )
      return connection
    }

    /// Runs a statement outside of the store.
    @discardableResult
    static func run(_ sql: String, _ values: [PostgreSQLValue] = [], in stack: Stack) throws
      -> PostgreSQLResult
    {
      try connections(stack).write { try $0.run(sql, values: values) }
    }

    /// Detects whether a transaction waits for the lock of a store.
    struct StoreLockObserver {
      private let connection: PostgreSQLConnection
      private let schema: String
      private let end = ContinuousClock.now + .seconds(60)

      init(_ place: URL) throws {
        connection = try PostgreSQLServer.connection(to: place)
        schema = try PostgreSQLAddress(place.absoluteString).schema
      }

      /// True if a transaction waits for the lock. After a minute it records an issue and returns true.
      func isAwaited() throws -> Bool {
        let found = try connection.run(
          """
          SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database, \
          LATERAL (SELECT hashtextextended('perennial ' || $1::text, 0) AS key) k \
          WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted AND l.objsubid = 1 \
          AND l.classid::bigint = (k.key >> 32) & 4294967295 AND l.objid::bigint = k.key & 4294967295
          """,
          values: [.text(schema)]
        )
        if let count = found.integer(0, column: 0), count > 0 { return true }
        if .now < end { return false }
        Issue.record("no transaction has waited for the lock of the store in \(schema)")
        return true
      }
    }
  }
#endif
