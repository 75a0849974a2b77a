#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// A PostgreSQL store whose connections have their own application name, by which a test finds them on the server.
  // Each test uses it on one thread at a time.
  final class NamedStore: @unchecked Sendable {
    let name = "test-\(UUID().uuidString)"
    let place: URL
    private let folder: TemporaryFolder
    private var coordinators: [NSPersistentStoreCoordinator] = []
    private let server: PostgreSQLConnection

    init() throws {
      folder = try TemporaryFolder()
      let place = try #require(StoreKind.postgreSQL.place(in: folder.url))
      self.place = try #require(URL(string: "\(place.absoluteString)&application_name=\(name)"))
      server = try PostgreSQLConnection(PostgreSQLAddress(#require(StoreKind.postgreSQLServer)))
    }

    deinit {
      for coordinator in coordinators {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
      }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      try? coordinator.destroyPersistentStore(at: place, ofType: StoreKind.postgreSQL.storeType)
    }

    func coordinator(_ options: [AnyHashable: Any] = [:]) throws -> NSPersistentStoreCoordinator {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
      try coordinator.addPersistentStore(
        ofType: StoreKind.postgreSQL.storeType,
        configurationName: nil,
        at: place,
        options: options
      )
      coordinators.append(coordinator)
      return coordinator
    }

    func save(_ title: String, _ coordinator: NSPersistentStoreCoordinator) throws {
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      context.note(title)
      try context.save()
    }

    /// The process IDs of the server processes for the store's connections that meet a condition.
    func processes(_ condition: String) throws -> [Int64] {
      let result = try server.run(
        "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND (\(condition)) ORDER BY pid",
        values: [.text(name)]
      )
      return (0..<result.rowCount).compactMap { result.integer($0, column: 0) }
    }

    /// Ends a server process, and waits until it has ended.
    func end(_ process: Int64) throws {
      #expect(
        try server.run("SELECT pg_terminate_backend($1, 60000)", values: [.integer(process)]).integer(
          0,
          column: 0
        ) == 1
      )
    }
  }
#endif
