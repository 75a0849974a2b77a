import CoreData
import TestModels

/// Models for the tests, created in code.
enum TestModel {
  /// Note, Tag and Category of the example Notes, with `name`, `title` and `name` as their natural keys.
  static func notes(_ configure: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel {
    let note = makeEntity(
      "Note",
      makeAttribute("title", .stringAttributeType, optional: false),
      makeAttribute("contents", .stringAttributeType),
      makeAttribute("createdAt", .dateAttributeType),
      makeAttribute("updatedAt", .dateAttributeType)
    )
    let tag = makeEntity("Tag", makeAttribute("name", .stringAttributeType, optional: false))
    let category = makeEntity(
      "Category",
      makeAttribute("name", .stringAttributeType, optional: false),
      makeAttribute("colorAsHex", .stringAttributeType)
    )
    relate(note, "tags", isToMany: true, tag, "notes", isToMany: true)
    relate(note, "category", isToMany: false, category, "notes", isToMany: true)
    return makeModel([note, tag, category], configure)
  }

  /// One entity, `Thing`, with an attribute of each type, named after the type. A SQLite store does not support composites.
  /// - Parameter key: The natural key; `uuid` by default.
  static func things(hasComposite: Bool = true, key: String? = nil) -> NSManagedObjectModel {
    let transformable = makeAttribute("plain", .transformableAttributeType)
    let list = makeAttribute("list", .transformableAttributeType)
    list.attributeValueClassName = "NSArray"
    let custom = makeAttribute("custom", .transformableAttributeType)
    custom.attributeValueClassName = "Color"
    let composite = NSCompositeAttributeDescription()
    composite.name = "place"
    composite.isOptional = true
    composite.elements = [
      makeAttribute("x", .doubleAttributeType), makeAttribute("label", .stringAttributeType),
    ]
    let thing = makeEntity(
      "Thing",
      makeAttribute("name", .stringAttributeType),
      makeAttribute("int16", .integer16AttributeType),
      makeAttribute("int32", .integer32AttributeType),
      makeAttribute("int64", .integer64AttributeType),
      makeAttribute("double", .doubleAttributeType),
      makeAttribute("float", .floatAttributeType),
      makeAttribute("decimal", .decimalAttributeType),
      makeAttribute("bool", .booleanAttributeType),
      makeAttribute("date", .dateAttributeType),
      makeAttribute("data", .binaryDataAttributeType),
      makeAttribute("uuid", .UUIDAttributeType),
      makeAttribute("url", .URIAttributeType),
      transformable,
      list,
      custom,
      composite
    )
    if let key { thing.userInfo = ["identityAttributes": key] }
    if !hasComposite { thing.properties.removeAll { $0 === composite } }
    return makeModel([thing])
  }
}
