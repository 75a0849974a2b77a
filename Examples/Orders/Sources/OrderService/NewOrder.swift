import Foundation

/// The body of `POST /orders`.
package struct NewOrder: Codable, Sendable {
  /// A quantity of one product.
  package struct Line: Codable, Sendable {
    package var sku: String
    package var quantity: Int

    package init(sku: String, quantity: Int) {
      self.sku = sku
      self.quantity = quantity
    }
  }

  /// The client chooses the number, so that sending an order twice creates it once.
  package var number: String
  /// The email of an existing customer.
  package var customer: String
  package var lines: [Line]

  package init(number: String, customer: String, lines: [Line]) {
    self.number = number
    self.customer = customer
    self.lines = lines
  }

  /// Checks the order as far as possible without a store.
  ///
  /// - Throws: `OrderFailure.invalid` with the reason.
  package func validate() throws {
    let letters = number.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard (1...40).contains(number.utf8.count), letters else {
      throw OrderFailure.invalid("number has to be 1 to 40 letters, digits and hyphens")
    }
    guard (1...100).contains(lines.count) else {
      throw OrderFailure.invalid("an order has 1 to 100 lines, not \(lines.count)")
    }
    for line in lines where !(1...1000).contains(line.quantity) {
      throw OrderFailure.invalid("the quantity of \(line.sku) has to be 1 to 1000, not \(line.quantity)")
    }
    guard Set(lines.map(\.sku)).count == lines.count else {
      throw OrderFailure.invalid("each product may be in one line alone")
    }
  }

  /// The day of a date in UTC, as 2026-01-31.
  package static func day(of date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}
