import CoreData

/// The objects that a seed contains.
package enum SeedSubject: Sendable {
  /// The objects of a grid.
  case objects(GridQuery)
  /// One object, identified by its entity and key.
  case object(entity: String, key: Int64)

  /// The name of the entity of the objects.
  package var entity: String {
    switch self {
    case .objects(let query): query.entity
    case .object(let entity, _): entity
    }
  }

  /// The request for the objects.
  ///
  /// - Throws: the errors of a query, and `noSuchObject`.
  func request(_ explored: ExploredStore, context: NSManagedObjectContext) throws -> NSFetchRequest<NSManagedObject> {
    switch self {
    case .objects(let query): return try explored.request(for: query, in: context)
    case .object(let name, let key):
      let object = try explored.object(try explored.entity(name), key: key, in: context)
      let request = NSFetchRequest<NSManagedObject>(entityName: object.entity.name ?? "")
      request.predicate = NSPredicate(format: "SELF == %@", object)
      return request
    }
  }
}
