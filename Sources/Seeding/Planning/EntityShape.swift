import CoreData

/// What the planner and the writer ask of an entity, looked up once and not once a record.
final class EntityShape {
  let entity: NSEntityDescription
  let name: String
  let attributes: [String: NSAttributeDescription]
  let relationships: [String: NSRelationshipDescription]
  let naturalKey: NaturalKey?

  init(_ entity: NSEntityDescription, name: String, naturalKey: NaturalKey?) {
    self.entity = entity
    self.name = name
    attributes = entity.attributesByName
    relationships = entity.relationshipsByName
    self.naturalKey = naturalKey
  }

  /// The keys that a record may have, sorted.
  var keys: [String] {
    (attributes.values.filter { Self.canBeGiven($0) }.map(\.name) + relationships.keys).sorted()
  }

  static func canBeGiven(_ attribute: NSAttributeDescription) -> Bool {
    !(attribute is NSDerivedAttributeDescription)
      && attribute.attributeType != .objectIDAttributeType
      && attribute.attributeType != .undefinedAttributeType
  }
}
