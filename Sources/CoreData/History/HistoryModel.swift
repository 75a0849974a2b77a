/// The entities that fetch requests for history have: no store keeps objects of them.
final class HistoryModel: Sendable {
  static let shared = HistoryModel()

  static let transactionName = "Transaction"
  static let changeName = "Change"

  private let model: NSManagedObjectModel
  let transaction: NSEntityDescription
  let change: NSEntityDescription

  private init() {
    transaction = Self.entity(
      Self.transactionName,
      [
        ("author", .stringAttributeType), ("bundleID", .stringAttributeType),
        ("contextName", .stringAttributeType), ("processID", .stringAttributeType),
        ("storeID", .stringAttributeType), ("timestamp", .dateAttributeType),
        ("token", .integer64AttributeType), ("transactionNumber", .integer64AttributeType),
      ]
    )
    change = Self.entity(
      Self.changeName,
      [
        ("changeID", .integer64AttributeType), ("changeType", .integer64AttributeType),
        ("changedEntity", .integer64AttributeType), ("changedObjectID", .objectIDAttributeType),
      ]
    )
    let changes = Self.relationship("changes", to: change, maxCount: 0)
    let owner = Self.relationship("transaction", to: transaction, maxCount: 1)
    changes.inverseRelationship = owner
    owner.inverseRelationship = changes
    transaction.properties += [changes]
    change.properties += [owner]
    model = NSManagedObjectModel()
    model.entities = [transaction, change]
    model.freeze()
  }

  private static func entity(
    _ name: String,
    _ attributes: [(name: String, type: NSAttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    return entity
  }

  private static func relationship(
    _ name: String,
    to destination: NSEntityDescription,
    maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    return relationship
  }
}
