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
    let changes = NSRelationshipDescription(name: "changes", to: change, maxCount: 0)
    let owner = NSRelationshipDescription(name: "transaction", to: transaction, maxCount: 1)
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
    entity.properties = attributes.map(NSAttributeDescription.init(name:type:))
    return entity
  }
}
