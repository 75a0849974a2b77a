import CoreData

/// Finds the objects of one page of an ordered relationship, in the relationship's own order.
///
/// The keys of all destinations are read for each page, since only the store's list of them has the order.
/// Rows are read for the page alone.
struct OrderedGrid {
  /// An object and its place in the relationship, counted from 1.
  struct Place {
    let id: NSManagedObjectID
    let number: Int
  }

  /// The places that the query's predicate leaves, in order.
  private let places: [Place]

  /// - Parameters:
  ///   - relationship: an ordered relationship of the object.
  ///   - request: the request for the objects of the query.
  init(
    relationship: NSRelationshipDescription,
    of object: NSManagedObject,
    request: NSFetchRequest<NSManagedObject>,
    in context: NSManagedObjectContext
  ) throws {
    let ids = object.objectIDs(forRelationshipNamed: relationship.name)
    let matching = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
    matching.resultType = .managedObjectIDResultType
    matching.predicate = request.predicate
    let found = Set(try context.fetch(matching))
    places = ids.enumerated().filter { found.contains($1) }.map { Place(id: $1, number: $0 + 1) }
  }

  /// The places of a page, and whether there are others before and after them.
  ///
  /// - Parameter position: the place beside which the page is; `nil` for the beginning. Where its object has
  ///   left the relationship, the number that it had counts.
  func page(at position: GridPosition?, size: Int) -> (places: [Place], hasPrevious: Bool, hasNext: Bool) {
    var range = places.indices.prefix(size)
    switch position?.direction {
    case .after?:
      let start = position.map { index(of: $0, isAfter: true) } ?? 0
      range = places.indices.dropFirst(start).prefix(size)
    case .before?:
      let end = position.map { index(of: $0, isAfter: false) } ?? places.count
      range = places.indices.prefix(end).suffix(size)
    case nil: break
    }
    return (Array(places[range]), range.lowerBound > 0, range.upperBound < places.count)
  }

  /// The index of the first place after a position, or the number of places before it.
  private func index(of position: GridPosition, isAfter: Bool) -> Int {
    guard let key = position.key else { return isAfter ? 0 : places.count }
    if let index = places.firstIndex(where: { $0.id.key == key }) { return isAfter ? index + 1 : index }
    guard case .integer(let number)? = position.value else { return 0 }
    return places.firstIndex { isAfter ? $0.number > number : $0.number >= number } ?? places.count
  }

  /// The objects of places. Those that are gone by now, or that a damaged store lacks, are left out.
  static func objects(
    at places: [Place],
    like request: NSFetchRequest<NSManagedObject>,
    in context: NSManagedObjectContext
  ) throws -> [(object: NSManagedObject, number: Int)] {
    request.predicate = NSPredicate(format: "SELF IN %@", places.map(\.id) as NSArray)
    let objects = Dictionary(
      try context.fetch(request).map { ($0.objectID, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    return places.compactMap { place in objects[place.id].map { ($0, place.number) } }
  }
}

extension ExploredStore {
  /// The ordered relationship whose destinations a query asks for in the relationship's order; `nil` for
  /// objects in another order.
  func orderedRelationship(of query: GridQuery) -> NSRelationshipDescription? {
    guard query.sort == nil, let scope = query.scope, let entity = try? entity(scope.entity),
      let owner = try? self.entity(scope.owner), entity.isKindOf(entity: owner),
      let relationship = owner.relationshipsByName[scope.relationship], relationship.isOrdered
    else { return nil }
    return relationship
  }
}
