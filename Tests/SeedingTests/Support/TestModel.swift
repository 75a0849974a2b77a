import CoreData

/// Models for the tests, made in code.
enum TestModel {
  /// Note, Tag and Category of the example Notes, with `name`, `title` and `name` as their natural keys.
  static func notes(_ configure: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel {
    let note = entity(
      "Note",
      attribute("title", .stringAttributeType, isOptional: false),
      attribute("contents", .stringAttributeType),
      attribute("createdAt", .dateAttributeType),
      attribute("updatedAt", .dateAttributeType)
    )
    let tag = entity("Tag", attribute("name", .stringAttributeType, isOptional: false))
    let category = entity(
      "Category",
      attribute("name", .stringAttributeType, isOptional: false),
      attribute("colorAsHex", .stringAttributeType)
    )
    relate(note, "tags", isToMany: true, tag, "notes", isToMany: true)
    relate(note, "category", isToMany: false, category, "notes", isToMany: true)
    return model([note, tag, category], configure)
  }

  /// One entity, `Thing`, with an attribute of each type, named after it. A SQLite store takes no composites.
  /// - Parameter key: The natural key; the `uuid` without one.
  static func things(hasComposite: Bool = true, key: String? = nil) -> NSManagedObjectModel {
    let transformable = attribute("plain", .transformableAttributeType)
    let list = attribute("list", .transformableAttributeType)
    list.attributeValueClassName = "NSArray"
    let custom = attribute("custom", .transformableAttributeType)
    custom.attributeValueClassName = "Color"
    let composite = NSCompositeAttributeDescription()
    composite.name = "place"
    composite.isOptional = true
    composite.elements = [attribute("x", .doubleAttributeType), attribute("label", .stringAttributeType)]
    let thing = entity(
      "Thing",
      attribute("name", .stringAttributeType),
      attribute("int16", .integer16AttributeType),
      attribute("int32", .integer32AttributeType),
      attribute("int64", .integer64AttributeType),
      attribute("double", .doubleAttributeType),
      attribute("float", .floatAttributeType),
      attribute("decimal", .decimalAttributeType),
      attribute("bool", .booleanAttributeType),
      attribute("date", .dateAttributeType),
      attribute("data", .binaryDataAttributeType),
      attribute("uuid", .UUIDAttributeType),
      attribute("url", .URIAttributeType),
      transformable,
      list,
      custom,
      composite
    )
    if let key { thing.userInfo = ["identityAttributes": key] }
    if !hasComposite { thing.properties.removeAll { $0 === composite } }
    return model([thing]) { _ in }
  }

  static func entity(_ name: String, _ properties: NSPropertyDescription...) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  static func attribute(
    _ name: String,
    _ type: NSAttributeType,
    isOptional: Bool = true
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = isOptional
    return attribute
  }

  static func relate(
    _ source: NSEntityDescription,
    _ name: String,
    isToMany: Bool,
    isOrdered: Bool = false,
    _ destination: NSEntityDescription,
    _ inverseName: String,
    isToMany inverseIsToMany: Bool
  ) {
    let relationship = NSRelationshipDescription()
    let inverse = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = isToMany ? 0 : 1
    relationship.isOrdered = isOrdered
    relationship.deleteRule = .nullifyDeleteRule
    relationship.isOptional = true
    inverse.name = inverseName
    inverse.destinationEntity = source
    inverse.maxCount = inverseIsToMany ? 0 : 1
    inverse.deleteRule = .nullifyDeleteRule
    inverse.isOptional = true
    relationship.inverseRelationship = inverse
    inverse.inverseRelationship = relationship
    source.properties += [relationship]
    destination.properties += [inverse]
  }

  static func model(
    _ entities: [NSEntityDescription],
    _ configure: ([String: NSEntityDescription]) -> Void
  ) -> NSManagedObjectModel {
    configure(Dictionary(entities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { $1 }))
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }
}
