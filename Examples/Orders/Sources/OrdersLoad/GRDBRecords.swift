import Foundation
import GRDB
import OrderService

struct CustomerRecord: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "customer"

  var id: Int64?
  var email: String
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct ProductRecord: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "product"

  var id: Int64?
  var sku: String
  var name: String
  var price: Cents
  var stock: Int?

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct OrderRecord: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "order"
  static let customer = belongsTo(CustomerRecord.self)
  static let lines = hasMany(OrderLineRecord.self).forKey("lines")

  enum Columns {
    static let number = Column(CodingKeys.number)
    static let placedAt = Column(CodingKeys.placedAt)
    static let status = Column(CodingKeys.status)
    static let total = Column(CodingKeys.total)
    static let customerId = Column(CodingKeys.customerId)
  }

  var id: Int64?
  var number: String
  var placedAt: Date
  var day: String
  var status: OrderStatus
  var total: Cents
  var customerId: Int64

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct OrderLineRecord: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "orderLine"
  static let product = belongsTo(ProductRecord.self)

  var id: Int64?
  var quantity: Int
  var price: Cents
  var orderId: Int64
  var productId: Int64

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// An order with its customer and lines, as one request fetches it.
struct OrderInfo: Decodable, FetchableRecord {
  struct Line: Decodable {
    var orderLine: OrderLineRecord
    var product: ProductRecord
  }

  var order: OrderRecord
  var customer: CustomerRecord
  var lines: [Line]
}

/// A fetched row of the report.
struct ReportInfo: Decodable, FetchableRecord {
  var grouping: String
  var orders: Int
  var turnover: Cents
}
