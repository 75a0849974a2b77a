package import CoreData
import Foundation

/// Selects and orders the objects of a grid.
package struct GridQuery: Sendable, Hashable {
  /// An attribute and a direction to sort by.
  package struct Sort: Sendable, Hashable {
    package let attribute: String
    package let isAscending: Bool

    package init(attribute: String, isAscending: Bool) {
      self.attribute = attribute
      self.isAscending = isAscending
    }
  }

  /// The destinations of one object's relationship, or the objects whose relationship leads to it.
  package struct Scope: Sendable, Hashable {
    /// The object at the other end of the relationship.
    package let entity: String
    package let key: Int64
    /// The entity and the name of the relationship.
    package let owner: String
    package let relationship: String

    package init(entity: String, key: Int64, owner: String, relationship: String) {
      self.entity = entity
      self.key = key
      self.owner = owner
      self.relationship = relationship
    }
  }

  package var entity: String
  /// A predicate in Core Data's language; empty for all objects.
  package var predicate = ""
  package var sort: Sort?
  package var scope: Scope?
  package var position: GridPosition?
  /// The columns of a page; `nil` for the grid's default columns.
  package var columns: GridColumnChoice?
  /// The number of the first row among all rows, from 1; `nil` if it is not known.
  package var firstNumber: Int?

  package init(entity: String) { self.entity = entity }
}

extension ExploredStore {
  /// A request for the objects of a query, without an order.
  ///
  /// - Throws: an error that describes the problem of the predicate, and `noSuchObject`.
  package func request(
    for query: GridQuery,
    in context: NSManagedObjectContext
  ) throws -> NSFetchRequest<NSManagedObject> {
    let entity = try entity(query.entity)
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.predicate = try predicate(of: query, in: context)
    return request
  }

  /// The condition of a query, which combines its scope and its predicate; `nil` for all objects.
  func predicate(of query: GridQuery, in context: NSManagedObjectContext) throws -> NSPredicate? {
    var parts: [NSPredicate] = []
    if let scope = query.scope { parts.append(try predicate(of: scope, in: context)) }
    let given = try ExplorationPredicate.read(query.predicate, entity: query.entity, in: coordinator)
    if let given { parts.append(given) }
    return parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }

  /// The condition that selects the objects in a scope.
  private func predicate(of scope: GridQuery.Scope, in context: NSManagedObjectContext) throws -> NSPredicate {
    let object = try object(try entity(scope.entity), key: scope.key, in: context)
    let relationship = try relationship(scope.relationship, of: try entity(scope.owner))
    if object.entity.isKindOf(entity: try entity(scope.owner)) {
      return try Destinations(relationship, of: object).predicate
    }
    return Destinations.predicate(leadingTo: object, by: relationship)
  }

  /// - Throws: `unknownName` if the entity does not have the relationship.
  package func relationship(_ name: String, of entity: NSEntityDescription) throws
    -> NSRelationshipDescription
  {
    if let relationship = entity.relationshipsByName[name] { return relationship }
    throw ExplorationFailure(
      code: .unknownName,
      problem: "\(entity.name ?? "the entity") has no relationship \(name)",
      remedy: "choose one of its relationships"
    )
  }
}

/// The destinations of an object's relationship, as a condition that a store can evaluate row by row.
package struct Destinations {
  private let relationship: NSRelationshipDescription
  private let object: NSManagedObject

  package init(_ relationship: NSRelationshipDescription, of object: NSManagedObject) {
    self.relationship = relationship
    self.object = object
  }

  /// The IDs of the first destinations. They are in order if the relationship is ordered.
  package func first(_ count: Int) throws -> [NSManagedObjectID] {
    let coordinator = object.managedObjectContext?.persistentStoreCoordinator
    let found = try coordinator?.destinationIDs(of: relationship.name, from: object.objectID, atMost: count)
    return found ?? Array(object.objectIDs(forRelationshipNamed: relationship.name).prefix(count))
  }

  /// The condition that selects the destinations. Up to ``StoreGrid/countCap`` destinations are listed by
  /// key. More are selected through the inverse, if there is one: a list would be long, and the store soon
  /// finds enough objects for a page.
  var predicate: NSPredicate {
    get throws {
      let few = try first(StoreGrid.countCap + 1)
      if let inverse = relationship.inverseRelationship, few.count > StoreGrid.countCap {
        return Self.predicate(leadingTo: object, by: inverse)
      }
      let all =
        few.count > StoreGrid.countCap ? object.objectIDs(forRelationshipNamed: relationship.name) : few
      return NSPredicate(format: "SELF IN %@", all as NSArray)
    }
  }

  /// The condition that selects the objects whose relationship leads to the object.
  static func predicate(
    leadingTo object: NSManagedObject,
    by relationship: NSRelationshipDescription
  ) -> NSPredicate {
    NSPredicate(format: relationship.isToMany ? "ANY %K == %@" : "%K == %@", relationship.name, object)
  }
}
