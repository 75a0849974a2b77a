import CoreData

/// An entity for a model that is made in code.
func makeEntity(
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

/// An attribute, optional unless said otherwise.
func makeAttribute(
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

/// An optional relationship, to one object or to many.
func makeRelationship(
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

/// Makes two relationships each other's inverse.
func connect(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
  one.inverseRelationship = other
  other.inverseRelationship = one
}
