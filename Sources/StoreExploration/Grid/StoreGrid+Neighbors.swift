import CoreData
import Foundation

/// The entities and keys of the objects before and after an object in a grid; `nil` at the ends of the grid.
package struct GridNeighbors: Sendable, Hashable {
  package struct Neighbor: Sendable, Hashable {
    package let entity: String
    package let key: Int64
  }

  package let previous: Neighbor?
  package let next: Neighbor?
}

extension StoreGrid {
  /// The objects before and after an object in the order of a grid. The object may have left the grid.
  ///
  /// - Throws: `noSuchObject`, `tookTooLong`, or the store's error.
  package func neighbors(of key: Int64, in query: GridQuery, within limit: Duration) async throws
    -> GridNeighbors
  {
    let explored = explored
    return try await explored.read(within: limit) { context in
      let request = try explored.request(for: query, in: context)
      request.includesPropertyValues = false
      func neighbor(_ direction: GridPosition.Direction) throws -> GridNeighbors.Neighbor? {
        var query = query
        query.position = GridPosition(direction, key: key, value: nil)
        let pager = try Self.pager(query, request: request, explored: explored, context: context)
        return try pager.objects(atMost: 1, in: context).objects.first.map { object in
          GridNeighbors.Neighbor(entity: object.entity.name ?? "", key: object.objectID.key)
        }
      }
      return GridNeighbors(previous: try neighbor(.before), next: try neighbor(.after))
    }
  }

  /// A pager for the rows at the query's position.
  private static func pager(
    _ query: GridQuery,
    request: NSFetchRequest<NSManagedObject>,
    explored: ExploredStore,
    context: NSManagedObjectContext
  ) throws -> GridPager {
    let entity = try explored.entity(query.entity)
    return GridPager(
      request,
      sort: query.sort,
      position: try checked(query, entity: entity, explored: explored, context: context),
      isIndexed: query.sort.map { entity.hasIndex(of: $0.attribute) } ?? true
    )
  }
}
