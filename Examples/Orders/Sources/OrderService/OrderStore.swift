/// The operations that the routes need from a store.
///
/// - Throws: Each function throws `OrderFailure.busy` if the store does not answer in time.
package protocol OrderStore: Sendable {
  /// The order with a number.
  ///
  /// - Throws: `OrderFailure.notFound`.
  func order(_ number: String) async throws -> OrderDetails

  /// The latest orders of a customer, the newest first.
  ///
  /// - Throws: `OrderFailure.notFound` if no customer has the email.
  func orders(ofCustomer email: String, limit: Int) async throws -> [OrderSummary]

  /// Creates an order with the present prices.
  ///
  /// - Throws: `OrderFailure.invalid` if the customer or a product does not exist, `conflict` if an order has
  ///   the number already.
  func createOrder(_ order: NewOrder) async throws -> OrderDetails

  /// Changes the status of an order.
  ///
  /// - Throws: `OrderFailure.notFound`; `conflict` if the change is not allowed, or the order is changed at
  ///   the same time.
  func changeStatus(ofOrder number: String, to status: OrderStatus) async throws -> OrderDetails

  /// The number of orders and their turnover, by status or by day.
  func report(by grouping: ReportGrouping) async throws -> [ReportRow]

  /// The number of orders.
  func orderCount() async throws -> Int

  /// The problems of the store, and whether it can still work.
  func health() async throws -> OrderStoreHealth

  /// Closes the store. It must not be used afterwards.
  func close() throws
}

/// The health of a store.
package struct OrderStoreHealth: Sendable {
  /// False if the store cannot be read and written.
  package var isUsable = true
  /// The problems, for the operators of the server; empty if there are none.
  package var problems: [String] = []

  package init() {}
}
