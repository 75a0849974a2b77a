import CoreData

/// The model of the example Notes: a note has a category and tags.
package enum NotesModel {
  /// - Parameter indexed: the attributes of a note that have an index.
  package static func make(indexed: [String] = []) -> NSManagedObjectModel {
    let note = entity("Note", ["title", "contents"], dates: ["createdAt", "updatedAt"])
    let category = entity("Category", ["name", "colorAsHex"])
    let tag = entity("Tag", ["name"])
    relate(note, "category", toOne: true, category, "notes")
    relate(note, "tags", toOne: false, tag, "notes")
    note.indexes = indexed.compactMap { name in
      note.attributesByName[name].map { attribute in
        let element = NSFetchIndexElementDescription(property: attribute, collationType: .binary)
        return NSFetchIndexDescription(name: "by\(name.capitalized)", elements: [element])
      }
    }
    let model = NSManagedObjectModel()
    model.entities = [category, note, tag]
    return model
  }

  private static func entity(_ name: String, _ texts: [String], dates: [String] = []) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties =
      texts.map { attribute($0, .stringAttributeType) } + dates.map { attribute($0, .dateAttributeType) }
    return entity
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = name != "title" && name != "name"
    return attribute
  }

  private static func relate(
    _ source: NSEntityDescription,
    _ name: String,
    toOne: Bool,
    _ destination: NSEntityDescription,
    _ inverse: String
  ) {
    let forward = NSRelationshipDescription()
    forward.name = name
    forward.destinationEntity = destination
    forward.maxCount = toOne ? 1 : 0
    let backward = NSRelationshipDescription()
    backward.name = inverse
    backward.destinationEntity = source
    backward.maxCount = 0
    for relationship in [forward, backward] {
      relationship.minCount = 0
      relationship.isOptional = true
      relationship.deleteRule = .nullifyDeleteRule
    }
    forward.inverseRelationship = backward
    backward.inverseRelationship = forward
    source.properties.append(forward)
    destination.properties.append(backward)
  }
}
