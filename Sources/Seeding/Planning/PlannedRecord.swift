import CoreData

/// A record whose keys and values fit the model; nothing of it was looked up in a store yet.
struct PlannedRecord {
  let shape: EntityShape
  let position: SeedPosition
  let naturalKey: AttributeValue?
  let values: [(attribute: NSAttributeDescription, value: AttributeValue)]
  let references: [Reference]

  /// A relationship and the natural keys of the objects that it leads to, none to empty it.
  struct Reference {
    let relationship: NSRelationshipDescription
    let destination: EntityShape
    let keys: [AttributeValue]
  }

  func value(of attribute: String) -> AttributeValue? {
    values.first { $0.attribute.name == attribute }?.value
  }
}
