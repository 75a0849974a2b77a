import CoreData

extension NSManagedObjectContext {
  /// Fetches an order with everything that an answer contains.
  ///
  /// - Throws: `OrderFailure.notFound`.
  func order(_ number: String) throws -> Order {
    let request = NSFetchRequest<Order>(entityName: "Order")
    request.predicate = NSPredicate(format: "number == %@", number)
    request.relationshipKeyPathsForPrefetching = ["customer", "lines.product"]
    guard let order = try fetch(request).first else {
      throw OrderFailure.notFound("there is no order \(number)")
    }
    return order
  }

  /// Fetches the customer with an email.
  func customer(_ email: String) throws -> Customer? {
    let request = NSFetchRequest<Customer>(entityName: "Customer")
    request.predicate = NSPredicate(format: "email == %@", email)
    return try fetch(request).first
  }

  /// Fetches products by their numbers.
  func products(_ numbers: [String]) throws -> [String: Product] {
    let request = NSFetchRequest<Product>(entityName: "Product")
    request.predicate = NSPredicate(format: "sku IN %@", numbers)
    return Dictionary(uniqueKeysWithValues: try fetch(request).map { ($0.sku, $0) })
  }
}
