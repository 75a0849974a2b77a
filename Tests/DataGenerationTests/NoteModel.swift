import CoreData

/// Notes with tags and a category, and with rules for their values.
enum NoteModel {
  static func model(_ configure: ([String: NSEntityDescription]) -> Void = { _ in }) -> NSManagedObjectModel {
    let note = entity(
      "Note",
      ["title": .stringAttributeType, "createdAt": .dateAttributeType, "rank": .integer16AttributeType]
    )
    let tag = entity("Tag", ["name": .stringAttributeType])
    let category = entity("Category", ["name": .stringAttributeType])
    relate(note, "tags", isToMany: true, tag, "notes")
    relate(note, "category", isToMany: false, category, "notes")
    let model = NSManagedObjectModel()
    configure(["Note": note, "Tag": tag, "Category": category])
    model.entities = [note, tag, category]
    return model
  }

  private static func entity(_ name: String, _ types: [String: NSAttributeType]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = types.sorted { $0.key < $1.key }.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = false
      return attribute
    }
    return entity
  }

  private static func relate(
    _ source: NSEntityDescription,
    _ name: String,
    isToMany: Bool,
    _ destination: NSEntityDescription,
    _ inverseName: String
  ) {
    let relationship = NSRelationshipDescription()
    let inverse = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = isToMany ? 0 : 1
    inverse.name = inverseName
    inverse.destinationEntity = source
    for (one, other) in [(relationship, inverse), (inverse, relationship)] {
      one.inverseRelationship = other
      one.isOptional = true
      one.deleteRule = .nullifyDeleteRule
    }
    source.properties += [relationship]
    destination.properties += [inverse]
  }
}
