import CoreData
import Foundation
import TestModels

/// Relationships of every shape, between objects without a class of their own.
///
/// `Node` is related to itself: `parent` and `children`, `friends` that are their own inverse, `fans` and `idols`, `next` and
/// `previous`, and `favourite` without an inverse. `Box` has ordered things without an inverse, and a limited number of items
/// that it owns. `Ring` has a cycle of cascades.
enum RelationModel {
  static let shared = make()

  static func make() -> NSManagedObjectModel {
    let node = entity("Node"), box = entity("Box"), item = entity("Item"), ring = entity("Ring")
    connect(toMany("children", node, node, .cascadeDeleteRule), toOne("parent", node, node))
    let friends = toMany("friends", node, node)
    friends.inverseRelationship = friends
    connect(toMany("fans", node, node), toMany("idols", node, node))
    connect(toOne("next", node, node), toOne("previous", node, node))
    _ = toOne("favourite", node, node)
    _ = toMany("bookmarks", node, node)
    connect(toMany("items", box, item, .cascadeDeleteRule), toOne("box", item, box))
    connect(toMany("guests", box, node, .denyDeleteRule), toOne("host", node, box, .noActionDeleteRule))
    let ordered = toMany("sequence", box, item)
    ordered.isOrdered = true
    let places = toMany("sequences", item, box)
    places.isOrdered = true
    connect(ordered, places)
    let limited = toMany("pair", box, item)
    (limited.minCount, limited.maxCount) = (2, 2)
    let required = toOne("owner", ring, ring, .cascadeDeleteRule)
    connect(required, toMany("owned", ring, ring, .cascadeDeleteRule))
    let model = NSManagedObjectModel()
    model.entities = [node, box, item, ring]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let attribute = NSAttributeDescription()
    attribute.name = "name"
    attribute.attributeType = .stringAttributeType
    attribute.isOptional = true
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = [attribute]
    return entity
  }

  private static func toOne(
    _ name: String,
    _ source: NSEntityDescription,
    _ destination: NSEntityDescription,
    _ rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.deleteRule = rule
    relationship.maxCount = 1
    relationship.isOptional = true
    source.properties += [relationship]
    return relationship
  }

  private static func toMany(
    _ name: String,
    _ source: NSEntityDescription,
    _ destination: NSEntityDescription,
    _ rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = toOne(name, source, destination, rule)
    relationship.maxCount = 0
    return relationship
  }

  private static func connect(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.inverseRelationship = other
    other.inverseRelationship = one
  }
}

extension Stack {
  static func relations(_ kind: StoreKind) throws -> Stack { try Stack(kind, model: RelationModel.shared) }

  func make(_ entity: String, _ name: String) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(name, forKey: "name")
    return object
  }

  /// The object with that name, as another context finds it.
  func saved(_ entity: String, _ name: String) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "name == %@", name)
    return try newContext().fetch(request).first
  }

  func savedCount(_ entity: String) throws -> Int {
    try newContext().count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
  }
}

extension NSManagedObject {
  /// The names of the objects in a relationship, in its order if it is ordered, or else sorted.
  func namesIn(_ relationship: String) -> [String] {
    switch value(forKey: relationship) {
    case let set as NSSet:
      set.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }.sorted()
    case let set as NSOrderedSet:
      set.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
    case let object as NSManagedObject: [object.value(forKey: "name") as? String].compactMap(\.self)
    default: []
    }
  }
}
