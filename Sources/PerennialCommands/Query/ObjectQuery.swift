import CoreData
import Foundation
import Seeding

/// The query of `fetch`: the objects of an entity, with a row for each.
struct ObjectQuery: StoreQuery {
  let entity: NSEntityDescription
  let predicate: String?
  let sort: SortKeys?
  let limit: Int?
  let offset: Int?
  let columns: [String]?

  /// Fetches the objects in a new context, and returns their values.
  func run(in coordinator: NSPersistentStoreCoordinator) throws -> ResultTable {
    let request = try sortedRequest()
    let columns = self.columns ?? defaultColumns
    let paths = try columns.map { try PropertyPath($0, of: entity, operators: ["@count"]) }
    // One statement for each relationship instead of each object: on a server each one is a round trip.
    request.relationshipKeyPathsForPrefetching = Set(paths.compactMap(\.relationships)).sorted()
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait {
      // A value that cannot be read must not be printed as a missing one.
      try context.throwingReadFailures {
        let objects = try context.fetch(request)
        var reader = ResultReader()
        let rows = objects.map { object in columns.map { reader.value(at: $0, of: object) } }
        return ResultTable(columns: columns, rows: rows)
      }
    }
  }

  /// The number of objects, after limit and offset.
  func count(in coordinator: NSPersistentStoreCoordinator) throws -> Int {
    let request = try sortedRequest()
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait { try context.count(for: request) }
  }

  /// The store's statement for the query, and the database's plan for it.
  func explanation(in coordinator: NSPersistentStoreCoordinator) throws -> String {
    try QueryExplanation.text(of: sortedRequest(), in: coordinator)
  }

  private func sortedRequest() throws -> NSFetchRequest<NSManagedObject> {
    let request = try request()
    request.sortDescriptors = try sort?.keys.map { key in
      let path = try PropertyPath(key.keyPath, of: entity, operators: ["@count", "@min", "@max"])
      return NSSortDescriptor(key: path.text, ascending: key.isAscending)
    }
    return request
  }

  /// The request, without a sort order.
  func request() throws -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.predicate = try predicate.map { try PredicateReader.read($0, for: entity) }
    request.fetchLimit = limit ?? 0
    request.fetchOffset = offset ?? 0
    request.returnsObjectsAsFaults = false
    return request
  }

  /// The attributes of the natural key, the other attributes and the relationships, each group sorted by name.
  private var defaultColumns: [String] {
    let key = NaturalKeys().key(of: entity)?.names ?? []
    let others = (entity.attributesByName.keys.sorted() + entity.relationshipsByName.keys.sorted())
      .filter { !key.contains($0) }
    return key + others
  }
}
