import CoreData
import Foundation
import Seeding
import StoreExploration

/// The staged destinations of an object's relationship. Used on the queue of the session's context.
struct StagedDestinations {
  /// The greatest number of destinations of a relationship that can be edited.
  static let most = 1_000
  static let tooManyWords =
    "The relationship has more than \(most) objects; edit it on the pages of the objects that it leads to."

  let relationship: NSRelationshipDescription
  let object: NSManagedObject

  /// True if there are more destinations than can be edited. This does not load them.
  var areTooMany: Bool {
    get throws {
      guard relationship.isToMany, !object.isInserted,
        object.hasFault(forRelationshipNamed: relationship.name)
      else { return false }
      return try Destinations(relationship, of: object).first(Self.most + 1).count > Self.most
    }
  }

  /// The destinations. They are in order if the relationship is ordered, and sorted by entity and key otherwise.
  var all: [NSManagedObject] {
    let found = relationship.destinations(of: object)
    return relationship.isToMany && !relationship.isOrdered ? Self.sorted(found) : found
  }

  /// Saved objects by entity and key, followed by new objects.
  static func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    func order(_ object: NSManagedObject) -> (Int, String, Int64) {
      let id = object.objectID
      return (id.isTemporaryID ? 1 : 0, object.entity.name ?? "", id.isTemporaryID ? -id.key : id.key)
    }
    return objects.sorted { order($0) < order($1) }
  }

  /// Replaces the destinations.
  func replace(with objects: [NSManagedObject]) {
    if !relationship.isToMany {
      object.setValue(objects.first, forKey: relationship.name)
    } else if relationship.isOrdered {
      object.setValue(NSOrderedSet(array: objects), forKey: relationship.name)
    } else {
      object.setValue(NSSet(array: objects), forKey: relationship.name)
    }
  }
}
