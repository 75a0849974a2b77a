import Hummingbird

/// The server's answers, from any kind of store.
package struct OrderRoutes<Store: OrderStore>: Sendable {
  private let store: Store

  package init(store: Store) { self.store = store }

  /// Adds the routes to a router or to a router group.
  package func add(to router: some RouterMethods<some RequestContext>) {
    router.get("health") { _, context in try await health(context) }
    router.get("orders/:id") { _, context in try await store.order(context.parameters.require("id")) }
    router.post("orders") { request, context in try await create(request, context) }
    router.patch("orders/:id") { request, context in
      let change = try await request.decode(as: StatusChange.self, context: context)
      return try await store.changeStatus(ofOrder: context.parameters.require("id"), to: change.status)
    }
    router.get("customers/:email/orders") { request, context in
      try await store.orders(
        ofCustomer: context.parameters.require("email"),
        limit: limit(in: request)
      )
    }
    router.get("report") { request, _ in try await store.report(by: grouping(in: request)) }
  }

  private func health(_ context: some RequestContext) async throws -> Health {
    let health = try await store.health()
    for problem in health.problems {
      context.logger.log(level: health.isUsable ? .warning : .error, "\(problem)")
    }
    guard health.isUsable else { throw OrderFailure.unhealthy }
    return Health(orders: try await store.orderCount())
  }

  private func create(
    _ request: Request,
    _ context: some RequestContext
  ) async throws -> EditedResponse<OrderDetails> {
    let order = try await request.decode(as: NewOrder.self, context: context)
    try order.validate()
    let created = try await store.createOrder(order)
    let location = "\(request.uri.path)/\(created.number)"
    return EditedResponse(status: .created, headers: [.location: location], response: created)
  }

  private func limit(in request: Request) throws -> Int {
    guard let text = request.uri.queryParameters["limit"] else { return 20 }
    guard let limit = Int(text), (1...100).contains(limit) else {
      throw OrderFailure.invalid("limit has to be a number from 1 to 100")
    }
    return limit
  }

  private func grouping(in request: Request) throws -> ReportGrouping {
    guard let text = request.uri.queryParameters["by"] else { return .status }
    guard let grouping = ReportGrouping(rawValue: String(text)) else {
      throw OrderFailure.invalid("by has to be status or day")
    }
    return grouping
  }
}
