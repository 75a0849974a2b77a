import Foundation
import Predicates

extension NSManagedObjectContext {
  /// Fetches the values of objects at the end of relationships to one in few queries, instead of one for each object.
  ///
  /// A relationship to many ends a key path: its destinations are fetched when they are first asked for.
  final func prefetch(_ keyPaths: [String], of objects: [NSManagedObject]) throws {
    for keyPath in keyPaths {
      var current = objects
      for key in keyPath.split(separator: ".").map(String.init) {
        guard let entity = current.first?.entity else { break }
        guard let relationship = entity.allPropertiesByName[key] as? NSRelationshipDescription else {
          throw CocoaError.coreData(
            NSPersistentStoreOperationError,
            """
            relationshipKeyPathsForPrefetching names \(keyPath), and entity \(entity.name ?? "") has no relationship \
            \(key).
            """
          )
        }
        if relationship.isToMany { break }
        current = try destinations(of: key, relationship, current)
      }
    }
  }

  /// How many objects one query is about.
  private static let prefetchCount = 500

  private final func destinations(
    of key: String,
    _ relationship: NSRelationshipDescription,
    _ objects: [NSManagedObject]
  ) throws -> [NSManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    let destinations = objects.compactMap { $0.value(forKey: key) as? NSManagedObject }
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
    guard let entity = relationship.frozenDestination else { return destinations }
    let faults = destinations.filter { $0.isFault && !$0.objectID.isTemporaryID }
    for start in stride(from: 0, to: faults.count, by: Self.prefetchCount) {
      let ids = faults[start..<min(start + Self.prefetchCount, faults.count)].map(\.objectID)
      var query = FetchQuery(entity: entity)
      query.predicate = NSPredicate(format: "SELF IN %@", ids)
      // The faults, which `faults` keeps alive, take the rows.
      _ = self.objects(for: try connectedChannel().fetch(query))
    }
    return destinations
  }
}
