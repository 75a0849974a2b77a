import OrderService

/// The orders of a store before the load begins. They are the same in every store.
struct FirstOrders {
  let count: Int
  private let customers: [OrderSeed.Customer]
  /// The products with unlimited stock.
  private let products: [OrderSeed.Product]

  init(count: Int) throws {
    self.count = count
    let seed = try OrderSeed.read()
    customers = seed.customers
    products = seed.products.filter { $0.stock == nil }
  }

  /// Creates the orders that the store does not have yet. Their numbers are `S-1` to `S-count`.
  func create(in store: some OrderStore) async throws {
    let first = try await store.orderCount()
    guard first < count else { return }
    for index in first..<count { _ = try await store.createOrder(order(index)) }
  }

  private func order(_ index: Int) -> NewOrder {
    NewOrder(
      number: "S-\(index + 1)",
      customer: customers[index % customers.count].email,
      lines: (0...index % 5).map { line in
        // Consecutive lines are 31 products apart, so that an order does not contain a product twice.
        NewOrder.Line(
          sku: products[(index * 7 + line * 31) % products.count].sku,
          quantity: 1 + (index + line) % 4
        )
      }
    )
  }
}
