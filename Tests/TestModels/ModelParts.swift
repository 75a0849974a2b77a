package import CoreData

/// An entity for a model that is made in code.
package func makeEntity(
  _ name: String,
  _ objectClass: NSManagedObject.Type = NSManagedObject.self,
  _ properties: [NSPropertyDescription] = []
) -> NSEntityDescription {
  let entity = NSEntityDescription()
  entity.name = name
  entity.managedObjectClassName = NSStringFromClass(objectClass)
  entity.properties = properties
  return entity
}

/// Makes an entity without a class of its own.
package func makeEntity(_ name: String, _ property: NSPropertyDescription, _ more: NSPropertyDescription...)
  -> NSEntityDescription
{
  makeEntity(name, NSManagedObject.self, [property] + more)
}

/// Makes an attribute, optional by default.
package func makeAttribute(
  _ name: String,
  _ type: NSAttributeType = .stringAttributeType,
  optional: Bool = true,
  default value: Any? = nil
) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.attributeType = type
  attribute.isOptional = optional
  attribute.defaultValue = value
  return attribute
}

/// Makes an optional relationship, to one object or to many.
package func makeRelationship(
  _ name: String,
  to destination: NSEntityDescription? = nil,
  toMany: Bool = false
) -> NSRelationshipDescription {
  let relationship = NSRelationshipDescription()
  relationship.name = name
  relationship.destinationEntity = destination
  relationship.maxCount = toMany ? 0 : 1
  relationship.isOptional = true
  relationship.deleteRule = .nullifyDeleteRule
  return relationship
}

/// Makes two relationships the inverse of each other.
package func connect(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
  one.inverseRelationship = other
  other.inverseRelationship = one
}

/// Adds an optional relationship to each of two entities, and makes them the inverse of each other.
package func relate(
  _ source: NSEntityDescription,
  _ name: String,
  isToMany: Bool,
  isOrdered: Bool = false,
  _ destination: NSEntityDescription,
  _ inverseName: String,
  isToMany inverseIsToMany: Bool
) {
  let relationship = makeRelationship(name, to: destination, toMany: isToMany)
  let inverse = makeRelationship(inverseName, to: source, toMany: inverseIsToMany)
  relationship.isOrdered = isOrdered
  connect(relationship, inverse)
  source.properties.append(relationship)
  destination.properties.append(inverse)
}

/// Makes a model of some entities.
/// - Parameter configure: Receives the entities by name before the model is made.
package func makeModel(
  _ entities: [NSEntityDescription],
  _ configure: ([String: NSEntityDescription]) -> Void = { _ in }
) -> NSManagedObjectModel {
  configure(Dictionary(entities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { $1 }))
  let model = NSManagedObjectModel()
  model.entities = entities
  return model
}
