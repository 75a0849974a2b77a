import CoreData

/// Finds the objects of one page of an ordered relationship, and the objects next to an object, in the
/// relationship's own order.
///
/// Each answer reads the keys of all destinations, because only the store's list of destinations has the order.
/// Of their rows, it reads only those that it returns.
struct OrderedGrid {
  /// An object and its position in the relationship, from 1.
  struct Place {
    let id: NSManagedObjectID
    let number: Int
  }

  /// The destinations that fulfill the query's predicate, in order.
  private let places: [Place]
  /// All destinations, in order.
  private let ids: [NSManagedObjectID]

  /// - Parameters:
  ///   - relationship: an ordered relationship of the object.
  ///   - request: the request for the objects of the query.
  init(
    relationship: NSRelationshipDescription,
    of object: NSManagedObject,
    request: NSFetchRequest<NSManagedObject>,
    in context: NSManagedObjectContext
  ) throws {
    let ids = Array(object.objectIDs(forRelationshipNamed: relationship.name))
    let matching = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
    matching.resultType = .managedObjectIDResultType
    matching.predicate = request.predicate
    let found = Set(try context.fetch(matching))
    places = ids.enumerated().filter { found.contains($1) }.map { Place(id: $1, number: $0 + 1) }
    self.ids = ids
  }

  /// The destinations directly before and after an object, among those that fulfill the query's predicate.
  ///
  /// The object itself may not fulfill the predicate. An object that is not in the relationship has no position
  /// there, and therefore no neighbors.
  func neighbors(of key: Int64) -> (previous: Place?, next: Place?) {
    guard let index = ids.firstIndex(where: { $0.key == key }) else { return (nil, nil) }
    let number = index + 1
    return (places.last { $0.number < number }, places.first { $0.number > number })
  }

  /// The destinations on a page, and whether there are others before and after them.
  ///
  /// - Parameter position: the position next to the page; `nil` for the first page. If its object is no
  ///   longer in the relationship, the object's former number is used.
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

  /// The objects at these positions. Objects that were deleted, or that a damaged store lacks, are left out.
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
  /// The ordered relationship whose destinations the query selects in their own order; `nil` for another order.
  func orderedRelationship(of query: GridQuery) -> NSRelationshipDescription? {
    guard query.sort == nil, let scope = query.scope, let entity = try? entity(scope.entity),
      let owner = try? self.entity(scope.owner), entity.isKindOf(entity: owner),
      let relationship = owner.relationshipsByName[scope.relationship], relationship.isOrdered
    else { return nil }
    return relationship
  }
}
