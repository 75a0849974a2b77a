#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import TestSupport
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// A store in a schema of its own. By default it connects to the server itself instead of a pooler.
  // Each test uses it on one thread at a time; saves may run on any thread.
  final class TagStore: @unchecked Sendable {
    let schema: String
    let url: URL
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    private let isDestroyed: Bool

    /// - Parameters:
    ///   - role: the role that opens the store; by default the one in the server's URL.
    ///   - without: a capability of the server that the store does not use.
    ///   - isDestroyed: false for a store that another object of the test destroys.
    init(
      at server: String? = StoreKind.directPostgreSQLServer,
      schema: String = TestSchema.newName(),
      role: String? = nil,
      without: String = "",
      isDestroyed: Bool = true,
      options: [AnyHashable: Any] = [:]
    ) throws {
      self.schema = schema
      self.isDestroyed = isDestroyed
      url = try Self.url(at: server, schema: schema, role: role, without: without)
      try open(options)
    }

    static func url(
      at server: String? = StoreKind.directPostgreSQLServer,
      schema: String,
      role: String? = nil,
      without: String = ""
    ) throws -> URL {
      var parts = try #require(server.flatMap { URLComponents(string: $0) })
      if let role { parts.user = role }
      parts.queryItems = [URLQueryItem(name: "schema", value: schema)]
      if !without.isEmpty { parts.queryItems?.append(URLQueryItem(name: "without", value: without)) }
      return try #require(parts.url)
    }

    deinit {
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
      if isDestroyed { try? coordinator.destroyPersistentStore(at: url, ofType: NSPostgreSQLStoreType) }
    }

    func open(_ options: [AnyHashable: Any] = [:]) throws {
      try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType,
        configurationName: nil,
        at: url,
        options: options
      )
    }

    func close() throws {
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    func store() throws -> PostgreSQLStore {
      try #require(coordinator.persistentStores.first as? PostgreSQLStore)
    }

    func connections() throws -> PostgreSQLConnections { try store().engine().connections }

    func newContext() -> NSManagedObjectContext {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return context
    }

    func save(_ name: String) throws {
      let context = newContext()
      try context.performAndWait {
        Tag(context: context).name = name
        try context.save()
      }
    }

    func names(_ format: String? = nil) throws -> [String] {
      let context = newContext()
      return try context.performAndWait {
        let request = NSFetchRequest<Tag>(entityName: "Tag")
        request.predicate = try format.map { try NSPredicate(parsing: $0, arguments: []) }
        return try context.fetch(request).compactMap(\.name).sorted()
      }
    }

    /// A connection to the server in addition to those of the store, with the role in the server's URL.
    func secondConnection() throws -> PostgreSQLConnection { try PostgreSQLServer.connection(to: url) }

    /// Sets the search path of the store's sessions to another schema, as a pooler may hand out sessions that another program
    /// has used before.
    func setSearchPath(_ schema: String) throws {
      let connections = try connections()
      let statement = "SELECT set_config('search_path', '\(schema)', false)"
      try connections.pool.with(deadline: nil) { _ = try $0.run(statement) }
      _ = try connections.runAlone(SQLStatement(sql: statement))
    }
  }

  /// A role on the server, which is removed after the test with all objects that it owns.
  final class ServerRole {
    let name = "role_\(UUID().uuidString.lowercased().prefix(8))"
    private let server: PostgreSQLConnection

    init() throws {
      server = try PostgreSQLConnection(PostgreSQLAddress(#require(StoreKind.directPostgreSQLServer)))
      try server.run("CREATE ROLE \(name) LOGIN")
    }

    /// Runs a statement with the role in the server's URL.
    @discardableResult
    func run(_ sql: String) throws -> PostgreSQLResult { try server.run(sql) }

    deinit {
      _ = try? server.run("DROP OWNED BY \(name) CASCADE")
      _ = try? server.run("DROP ROLE \(name)")
    }
  }
#endif
