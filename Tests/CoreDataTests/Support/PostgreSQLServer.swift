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

    /// Runs a statement beside the store.
    @discardableResult
    static func run(_ sql: String, _ values: [PostgreSQLValue] = [], in stack: Stack) throws
      -> PostgreSQLResult
    {
      try connections(stack).write { try $0.run(sql, values) }
    }
  }
#endif
