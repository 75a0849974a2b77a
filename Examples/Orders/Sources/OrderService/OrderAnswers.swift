import Foundation
import Hummingbird

/// An order with its customer and lines: the answer of `GET /orders/:id`.
package struct OrderDetails: ResponseCodable, Equatable, Sendable {
  /// The customer of the order.
  package struct Customer: Codable, Equatable, Sendable {
    package var email: String
    package var name: String

    package init(email: String, name: String) {
      self.email = email
      self.name = name
    }
  }

  /// A quantity of one product.
  package struct Line: Codable, Equatable, Sendable {
    package var sku: String
    package var name: String
    package var quantity: Int
    /// The price of one piece.
    package var price: Decimal

    package init(sku: String, name: String, quantity: Int, price: Decimal) {
      self.sku = sku
      self.name = name
      self.quantity = quantity
      self.price = price
    }
  }

  package var number: String
  package var placedAt: Date
  package var status: OrderStatus
  package var total: Decimal
  package var customer: Customer
  /// The lines, sorted by the number of the product.
  package var lines: [Line]

  package init(
    number: String,
    placedAt: Date,
    status: OrderStatus,
    total: Decimal,
    customer: Customer,
    lines: [Line]
  ) {
    self.number = number
    self.placedAt = placedAt
    self.status = status
    self.total = total
    self.customer = customer
    self.lines = lines.sorted { $0.sku < $1.sku }
  }
}

/// An order in a list, such as the answer of `GET /customers/:email/orders`.
package struct OrderSummary: Codable, Equatable, Sendable {
  package var number: String
  package var placedAt: Date
  package var status: OrderStatus
  package var total: Decimal

  package init(number: String, placedAt: Date, status: OrderStatus, total: Decimal) {
    self.number = number
    self.placedAt = placedAt
    self.status = status
    self.total = total
  }
}

/// The body of `PATCH /orders/:id`.
package struct StatusChange: Codable, Sendable {
  package var status: OrderStatus
}

/// The attribute by which a report groups orders.
package enum ReportGrouping: String, Sendable {
  case status, day
}

/// A line of `GET /report`.
package struct ReportRow: Codable, Equatable, Sendable {
  /// A status, or a day as 2026-01-31.
  package var group: String
  package var orders: Int
  package var turnover: Decimal

  package init(group: String, orders: Int, turnover: Decimal) {
    self.group = group
    self.orders = orders
    self.turnover = turnover
  }
}

/// The answer of `GET /health`.
package struct Health: ResponseCodable, Equatable, Sendable {
  package var orders: Int
}
