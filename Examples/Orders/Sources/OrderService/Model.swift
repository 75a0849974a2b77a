import CoreData

// Customers and products have no relationships to orders. With such a relationship, adding an order would
// change its owner, and two concurrent orders of one product would conflict. A product with a limited stock
// changes with each order, and such orders are saved one after the other.

/// A customer of the shop.
final class Customer: NSManagedObject {
  @NSManaged var email: String
  @NSManaged var name: String
}

/// A product of the shop.
final class Product: NSManagedObject {
  /// The number that identifies it for the shop and its customers.
  @NSManaged var sku: String
  @NSManaged var name: String
  @NSManaged var price: Decimal
  /// The number in stock; nil if it is not counted, because it is always available.
  @NSManaged var stock: NSNumber?
}

/// A customer's order.
final class Order: NSManagedObject {
  @NSManaged var number: String
  @NSManaged var placedAt: Date
  /// The day of `placedAt`, as 2026-01-31. Requests can group by an attribute, but not by a part of a date.
  @NSManaged var day: String
  /// The raw value of an `OrderStatus`.
  @NSManaged var status: String
  /// The sum of all lines, so that reports need not read them.
  @NSManaged var total: Decimal
  @NSManaged var customer: Customer?
  @NSManaged var lines: Set<OrderLine>
}

/// A quantity of one product.
final class OrderLine: NSManagedObject {
  @NSManaged var quantity: Int32
  /// The price of one piece on the day of the order, independent of later prices.
  @NSManaged var price: Decimal
  @NSManaged var product: Product?
  @NSManaged var order: Order?
}
