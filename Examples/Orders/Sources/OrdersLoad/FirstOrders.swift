import OrderService

/// The orders that a store has before the load begins, the same in every store.
struct FirstOrders {
  let count: Int
  private let customers: [OrderSeed.Customer]
  /// Those of which there are always some left.
  private let products: [OrderSeed.Product]

  init(count: Int) throws {
    self.count = count
    let seed = try OrderSeed.read()
    customers = seed.customers
    products = seed.products.filter { $0.stock == nil }
  }

  /// Creates those that the store does not have. They are the orders `S-1` to `S-count`.
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
        // Neighbouring lines are 31 products apart, so that none is in an order twice.
        NewOrder.Line(
          sku: products[(index * 7 + line * 31) % products.count].sku,
          quantity: 1 + (index + line) % 4
        )
      }
    )
  }
}
