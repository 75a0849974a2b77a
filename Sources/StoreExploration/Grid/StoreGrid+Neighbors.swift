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
  /// The objects before and after an object in the order of a grid.
  ///
  /// The object may have left the grid. If the grid has the order of a relationship, an object that left the
  /// relationship has no neighbors, because nothing else tells its position.
  ///
  /// - Throws: `noSuchObject`, `tookTooLong`, or the store's error.
  package func neighbors(of key: Int64, in query: GridQuery, within limit: Duration) async throws
    -> GridNeighbors
  {
    let explored = explored
    return try await explored.read(within: limit) { context in
      let request = try explored.request(for: query, in: context)
      request.includesPropertyValues = false
      if let relationship = explored.orderedRelationship(of: query), let scope = query.scope {
        let object = try explored.object(try explored.entity(scope.entity), key: scope.key, in: context)
        let grid = try OrderedGrid(relationship: relationship, of: object, request: request, in: context)
        return try Self.neighbors(of: key, grid: grid, request: request, context: context)
      }
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

  /// The objects before and after an object in the order of a relationship.
  private static func neighbors(
    of key: Int64,
    grid: OrderedGrid,
    request: NSFetchRequest<NSManagedObject>,
    context: NSManagedObjectContext
  ) throws -> GridNeighbors {
    let places = grid.neighbors(of: key)
    let shown = [places.previous, places.next].compactMap { $0 }
    let found = try OrderedGrid.objects(at: shown, like: request, in: context)
    func neighbor(at place: OrderedGrid.Place?) -> GridNeighbors.Neighbor? {
      guard let place, let object = found.first(where: { $0.number == place.number })?.object else {
        return nil
      }
      return GridNeighbors.Neighbor(entity: object.entity.name ?? "", key: object.objectID.key)
    }
    return GridNeighbors(previous: neighbor(at: places.previous), next: neighbor(at: places.next))
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
