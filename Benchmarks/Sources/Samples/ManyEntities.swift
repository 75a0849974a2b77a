package import CoreData

/// A model of many entities, for the opening of a store.
package enum ManyEntities {
  package static func make() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = (0..<100).map { number in
      let entity = NSEntityDescription()
      entity.name = "Entity\(number)"
      entity.properties = (0..<10).map { column in
        let attribute = NSAttributeDescription()
        attribute.name = "a\(column)"
        attribute.attributeType = .integer64AttributeType
        return attribute
      }
      return entity
    }
    return model
  }
}
