#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData

  /// A store in PostgreSQL, with a view on what the server does for it.
  enum PostgreSQLServer {
    /// True when the tests run without something that the server can do.
    static func isWithout(_ capability: String) -> Bool {
      ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL_WITHOUT"]?.contains(capability) == true
    }

    static func store(_ stack: Stack) throws -> PostgreSQLStore {
      try #require(stack.coordinator.persistentStores.first as? PostgreSQLStore)
    }

    static func connections(_ stack: Stack) throws -> PostgreSQLConnections {
      try store(stack).engine().connections
    }

    /// True when connections go by another program, which shares sessions of the server out among them.
    static var isBehindBouncer: Bool { StoreKind.directPostgreSQLServer != StoreKind.postgreSQLServer }

    /// A connection to the server itself, where settings last, that sees the tables of a store.
    static func connection(to place: URL) throws -> PostgreSQLConnection {
      var server = try #require(StoreKind.directPostgreSQLServer.flatMap { URLComponents(string: $0) })
      server.path = place.path
      let connection = try PostgreSQLConnection(PostgreSQLAddress(#require(server.string)))
      let schema = try PostgreSQLAddress(place.absoluteString).schema
      try connection.run(
        "SELECT set_config('search_path', $1, false)",
        [.text(PostgreSQLConnection.identifier(schema))]
      )
      return connection
    }

    /// Runs a statement beside the store.
    @discardableResult
    static func run(_ sql: String, _ values: [PostgreSQLValue] = [], in stack: Stack) throws
      -> PostgreSQLResult
    {
      try connections(stack).write { try $0.run(sql, values) }
    }
  }
#endif
