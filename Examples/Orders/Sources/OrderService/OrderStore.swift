/// What the routes ask of a store.
///
/// - Throws: Each function throws `OrderFailure.busy` when the store has no time for it.
package protocol OrderStore: Sendable {
  /// The order of a number.
  ///
  /// - Throws: `OrderFailure.notFound`.
  func order(_ number: String) async throws -> OrderDetails

  /// The latest orders of a customer, the newest first.
  ///
  /// - Throws: `OrderFailure.notFound` when nobody has the email.
  func orders(ofCustomer email: String, limit: Int) async throws -> [OrderSummary]

  /// Creates an order at the prices of today.
  ///
  /// - Throws: `OrderFailure.invalid` for a customer or a product that does not exist, `conflict` when there
  ///   is an order of the number.
  func createOrder(_ order: NewOrder) async throws -> OrderDetails

  /// Changes how far an order is.
  ///
  /// - Throws: `OrderFailure.notFound`; `conflict` for a change that is not allowed, or when others change
  ///   the order at the same time.
  func changeStatus(ofOrder number: String, to status: OrderStatus) async throws -> OrderDetails

  /// The number of orders and their turnover, by status or by day.
  func report(by grouping: ReportGrouping) async throws -> [ReportRow]

  /// The number of orders.
  func orderCount() async throws -> Int

  /// What is wrong with the store, and whether it can do its work all the same.
  func health() async throws -> OrderStoreHealth

  /// Closes the store. Nothing may be asked of it afterwards.
  func close() throws
}

/// How a store is.
package struct OrderStoreHealth: Sendable {
  /// False when the store cannot be read and written.
  package var isUsable = true
  /// What is wrong, for those who run the server; nothing where all is well.
  package var problems: [String] = []

  package init() {}
}
