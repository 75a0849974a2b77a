#if PostgreSQL
  import CoreData
  import Foundation
  import Samples

  /// A store of samples in its own schema, which is dropped with it.
  final class SampleSchema {
    let server: URL
    let name: String
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Sample.model)
    private let url: URL

    init(_ server: URL, options: [AnyHashable: Any] = [:]) throws {
      self.server = server
      name = "bench_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
      url = Self.url(server, name)
      try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType,
        configurationName: nil,
        at: url,
        options: options
      )
    }

    deinit {
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
      try? coordinator.destroyPersistentStore(at: url, ofType: NSPostgreSQLStoreType)
    }

    static func url(_ server: URL, _ schema: String) -> URL {
      server.appending(queryItems: [URLQueryItem(name: "schema", value: schema)])
    }

    func raw() throws -> RawPostgreSQL { try RawPostgreSQL(server, schema: name) }

    /// A schema with this number of rows, and with statistics for them.
    static func filled(_ server: URL, _ count: Int) throws -> SampleSchema {
      let schema = try SampleSchema(server)
      try schema.raw().copy(count)
      try schema.raw().execute("ANALYZE sample")
      return schema
    }

    func context() -> NSManagedObjectContext {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return context
    }

    func fetched() throws -> (NSManagedObjectContext, [Sample]) {
      let context = context()
      let request = NSFetchRequest<Sample>(entityName: "Sample")
      request.sortDescriptors = [NSSortDescriptor(key: "a0", ascending: true)]
      return (context, try context.fetch(request))
    }

    func objectID(_ key: Int64) -> NSManagedObjectID? {
      let identifier = coordinator.persistentStores[0].identifier ?? ""
      return URL(string: "x-coredata://\(identifier)/Sample/p\(key)")
        .flatMap(coordinator.managedObjectID(forURIRepresentation:))
    }
  }
#endif
