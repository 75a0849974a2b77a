import CoreData
import Foundation
import Seeding

/// The query of `fetch`.
struct ObjectQuery: StoreQuery {
  let entity: NSEntityDescription
  let predicate: String?
  let sort: SortKeys?
  let limit: Int?
  let offset: Int?
  let columns: [String]?

  /// Fetches in a context of its own and gives the values of the objects.
  func run(in coordinator: NSPersistentStoreCoordinator) throws -> ResultTable {
    let request = try sortedRequest()
    let columns = self.columns ?? defaultColumns
    let paths = try columns.map { try PropertyPath($0, of: entity, operators: ["@count"]) }
    // A statement for each relationship, not for each object: on a server each is a round trip.
    request.relationshipKeyPathsForPrefetching = Set(paths.compactMap(\.relationships)).sorted()
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait {
      let objects = try context.fetch(request)
      var reader = ResultReader()
      let rows = objects.map { object in columns.map { reader.value(at: $0, of: object) } }
      #if !canImport(Darwin)
        // A value that cannot be read is not to be shown as none.
        try context.throwReadFailure()
      #endif
      return ResultTable(columns: columns, rows: rows)
    }
  }

  /// The number of objects, within limit and offset.
  func count(in coordinator: NSPersistentStoreCoordinator) throws -> Int {
    let request = try sortedRequest()
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait { try context.count(for: request) }
  }

  /// The statement that the query becomes in the store, and the plan by which it is executed.
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

  /// The request, in no order.
  func request() throws -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.predicate = try predicate.map { try PredicateReader.read($0, for: entity) }
    request.fetchLimit = limit ?? 0
    request.fetchOffset = offset ?? 0
    request.returnsObjectsAsFaults = false
    return request
  }

  /// The natural key, the other attributes, the relationships, each by name.
  private var defaultColumns: [String] {
    let key = NaturalKeys().key(of: entity)?.names ?? []
    let others = (entity.attributesByName.keys.sorted() + entity.relationshipsByName.keys.sorted())
      .filter { !key.contains($0) }
    return key + others
  }
}
