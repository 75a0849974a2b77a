import CoreData
import TestModels

/// Products with a limited stock, deliveries of more, and orders, each with a seat of its own.
enum SaleModel {
  static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    model.entities = [
      entity(
        "Product",
        unique: "sku",
        [
          makeAttribute("sku", optional: false),
          makeAttribute("stock", .integer64AttributeType, optional: false),
        ]
      ),
      entity(
        "Delivery",
        unique: "number",
        [
          makeAttribute("number", optional: false), makeAttribute("sku", optional: false),
          makeAttribute("quantity", .integer64AttributeType, optional: false),
        ]
      ),
      entity(
        "Order",
        unique: "number",
        [
          makeAttribute("number", optional: false), makeAttribute("sku", optional: false),
          makeAttribute("quantity", .integer64AttributeType, optional: false),
        ]
      ),
      entity(
        "Ticket",
        unique: "seat",
        [
          makeAttribute("seat", .integer64AttributeType, optional: false),
          makeAttribute("order", optional: false),
        ]
      ),
      makeEntity("Closing"),
    ]
    return model
  }()

  private static func entity(
    _ name: String,
    unique: String,
    _ attributes: [NSAttributeDescription]
  ) -> NSEntityDescription {
    let entity = makeEntity(name, NSManagedObject.self, attributes)
    entity.uniquenessConstraints = [[unique]]
    return entity
  }
}
