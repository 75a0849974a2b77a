import CoreData

// The classes of the entities in Orders.xcdatamodeld. The plugin writes their accessors.
//
// Customers and products have no relationships to what is ordered: an order that is added to one would change
// its owner, so that two orders of one product at the same time would be in each other's way. Products of which
// there are only so many change with each order, and such orders have to take turns.

/// Somebody who orders.
final class Customer: NSManagedObject {
  @NSManaged var email: String
  @NSManaged var name: String
}

/// A thing that is sold.
final class Product: NSManagedObject {
  /// The number by which the shop and its customers know it.
  @NSManaged var sku: String
  @NSManaged var name: String
  @NSManaged var price: Decimal
  /// How many there are; nil for what is not counted, since there is always more of it.
  @NSManaged var stock: NSNumber?
}

/// What a customer ordered at one time.
final class Order: NSManagedObject {
  @NSManaged var number: String
  @NSManaged var placedAt: Date
  /// The day of `placedAt`, as 2026-01-31: requests group by attributes, not by parts of dates.
  @NSManaged var day: String
  /// The raw value of an `OrderStatus`.
  @NSManaged var status: String
  /// The sum over all lines, so that reports need not read them.
  @NSManaged var total: Decimal
  @NSManaged var customer: Customer?
  @NSManaged var lines: Set<OrderLine>
}

/// So many of one product.
final class OrderLine: NSManagedObject {
  @NSManaged var quantity: Int32
  /// The price of one on the day of the order, whatever the product costs later.
  @NSManaged var price: Decimal
  @NSManaged var product: Product?
  @NSManaged var order: Order?
}
