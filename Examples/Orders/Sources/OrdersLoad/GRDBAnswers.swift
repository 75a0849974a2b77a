import GRDB
import OrderService

extension OrderDetails {
  init(_ info: OrderInfo) {
    self.init(
      number: info.order.number,
      placedAt: info.order.placedAt,
      status: info.order.status,
      total: info.order.total.amount,
      customer: Customer(email: info.customer.email, name: info.customer.name),
      lines: info.lines.map { line in
        Line(
          sku: line.product.sku,
          name: line.product.name,
          quantity: line.orderLine.quantity,
          price: line.orderLine.price.amount
        )
      }
    )
  }
}

extension OrderSummary {
  init(_ order: OrderRecord) {
    self.init(
      number: order.number,
      placedAt: order.placedAt,
      status: order.status,
      total: order.total.amount
    )
  }
}

extension OrderFailure {
  /// Runs work, and converts SQLite's errors to failures that the routes can answer.
  static func translated<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
    do {
      return try await work()
    } catch let error as DatabaseError {
      switch error {
      case DatabaseError.SQLITE_CONSTRAINT_UNIQUE:
        throw OrderFailure.conflict("there is an order of that number already")
      case DatabaseError.SQLITE_BUSY: throw OrderFailure.busy
      default: throw error
      }
    }
  }
}

extension OrderStatus: DatabaseValueConvertible {}
