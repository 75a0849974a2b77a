import CoreData
import Foundation

/// Batches of items, and one ledger that records how many there are, so that half a save is visible.
enum CrashModel {
  static func make() -> NSManagedObjectModel {
    let (ledger, batch, item, tag) = (entity("Ledger"), entity("Batch"), entity("Item"), entity("Tag"))
    let (items, itsBatch) = (
      relationship("items", to: item, isToMany: true), relationship("batch", to: batch)
    )
    (items.inverseRelationship, itsBatch.inverseRelationship) = (itsBatch, items)
    items.deleteRule = .cascadeDeleteRule
    let (tags, tagged) = (
      relationship("tags", to: tag, isToMany: true), relationship("items", to: item, isToMany: true)
    )
    (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
    let data = attribute("data", .binaryDataAttributeType)
    data.allowsExternalBinaryDataStorage = true
    ledger.properties = [
      attribute("lastBatch", .integer64AttributeType), attribute("itemCount", .integer64AttributeType),
      attribute("sum", .integer64AttributeType),
    ]
    batch.properties = [attribute("number", .integer64AttributeType), data, items]
    item.properties = [
      attribute("value", .integer64AttributeType), attribute("text", .stringAttributeType), itsBatch, tags,
    ]
    tag.properties = [attribute("name", .stringAttributeType), tagged]
    batch.uniquenessConstraints = [["number"]]
    let model = NSManagedObjectModel()
    model.entities = [ledger, batch, item, tag]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  private static func relationship(
    _ name: String,
    to entity: NSEntityDescription,
    isToMany: Bool = false
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, entity)
    (relationship.isOptional, relationship.maxCount) = (true, isToMany ? 0 : 1)
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }
}
