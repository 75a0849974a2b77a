import CoreData
package import CoreDataServer
import Seeding

/// The orders in a Core Data store. Each request has its own context.
package struct CoreDataOrderStore: OrderStore {
  private let container = NSPersistentContainer(name: "Orders", managedObjectModel: OrderModel.shared)
  /// The time limit of a request. After it, the answer says that the store is busy.
  private static let patience = Duration.seconds(5)

  /// Opens the store at a location. If the store does not exist, it is created with the seed's customers and products.
  ///
  /// - Parameters:
  ///   - place: The store's file, `/dev/null` for a store in memory, or the URL of a PostgreSQL server.
  ///   - timeout: The seconds for which the store waits for other programs.
  ///   - refusesSingleFaults: True if loading the faults of a fetch one by one is an error.
  package init(at place: URL, timeout: TimeInterval = 5, refusesSingleFaults: Bool = false) async throws {
    let description = NSPersistentStoreDescription(url: place)
    if !place.isFileURL {
      #if PostgreSQL
        description.type = NSPostgreSQLStoreType
      #else
        throw CocoaError(
          .fileReadUnsupportedScheme,
          userInfo: [NSLocalizedDescriptionKey: "built without PostgreSQL: swift build --traits PostgreSQL"]
        )
      #endif
    }
    description.timeout = timeout
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    try await Seeder(.bundle(.module, "seed.json"), policy: .oncePerName).run(in: container)
    container.faultPolicy = refusesSingleFaults ? .refuse : .ignore
  }

  /// Closes the store when the server shuts down, and reports metrics and traces until then.
  package var service: PersistentContainerService {
    PersistentContainerService(container, telemetry: StoreTelemetry(name: "orders"))
  }

  package func health() async throws -> OrderStoreHealth {
    let coordinator = container.persistentStoreCoordinator
    let stores = coordinator.persistentStores
    var health = OrderStoreHealth()
    if stores.isEmpty {
      health.isUsable = false
      health.problems = ["no store is open"]
    }
    for store in stores {
      let found = try await coordinator.health(of: store, deadline: .now + Self.patience)
      health.isUsable = health.isUsable && found.isUsable
      health.problems += found.problems.map(\.description)
    }
    return health
  }

  package func close() throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  package func order(_ number: String) async throws -> OrderDetails {
    try await read { context in try OrderDetails(context.order(number)) }
  }

  package func orders(ofCustomer email: String, limit: Int) async throws -> [OrderSummary] {
    try await read { context in
      guard let customer = try context.customer(email) else {
        throw OrderFailure.notFound("there is no customer \(email)")
      }
      let request = NSFetchRequest<Order>(entityName: "Order")
      request.predicate = NSPredicate(format: "customer == %@", customer)
      request.sortDescriptors = [NSSortDescriptor(key: "placedAt", ascending: false)]
      request.fetchLimit = limit
      return try context.fetch(request).map(OrderSummary.init)
    }
  }

  package func createOrder(_ new: NewOrder) async throws -> OrderDetails {
    try await writeAgain { context in
      guard let customer = try context.customer(new.customer) else {
        throw OrderFailure.invalid("there is no customer \(new.customer)")
      }
      let products = try context.products(new.lines.map(\.sku))
      let order = Order(context: context)
      order.number = new.number
      order.placedAt = .now
      order.day = NewOrder.day(of: order.placedAt)
      order.status = OrderStatus.placed.rawValue
      order.customer = customer
      order.lines = Set(
        try new.lines.map { ordered in
          guard let product = products[ordered.sku] else {
            throw OrderFailure.invalid("there is no product \(ordered.sku)")
          }
          try product.take(ordered.quantity)
          let line = OrderLine(context: context)
          line.quantity = Int32(ordered.quantity)
          line.price = product.price
          line.product = product
          return line
        }
      )
      order.total = order.lines.reduce(0) { $0 + $1.price * Decimal($1.quantity) }
      return try OrderDetails(order)
    }
  }

  package func changeStatus(ofOrder number: String, to status: OrderStatus) async throws -> OrderDetails {
    try await writeAgain { context in
      let order = try context.order(number)
      let new = try OrderStatus(stored: order.status).changed(to: status)
      if order.status != new.rawValue { order.status = new.rawValue }
      return try OrderDetails(order)
    }
  }

  package func report(by grouping: ReportGrouping) async throws -> [ReportRow] {
    try await read { context in
      let request = NSFetchRequest<NSDictionary>(entityName: "Order")
      request.resultType = .dictionaryResultType
      request.propertiesToGroupBy = [grouping.rawValue]
      request.propertiesToFetch = [
        grouping.rawValue,
        Self.column("orders", "count:", of: "number", .integer64AttributeType),
        Self.column("turnover", "sum:", of: "total", .decimalAttributeType),
      ]
      request.sortDescriptors = [NSSortDescriptor(key: grouping.rawValue, ascending: true)]
      return try context.fetch(request).map { ReportRow($0, by: grouping) }
    }
  }

  private static func column(
    _ name: String,
    _ function: String,
    of key: String,
    _ type: NSAttributeType
  ) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = NSExpression(
      forFunction: function,
      arguments: [NSExpression(forKeyPath: key)]
    )
    column.expressionResultType = type
    return column
  }

  package func orderCount() async throws -> Int {
    try await read { context in try context.count(for: NSFetchRequest<Order>(entityName: "Order")) }
  }

  /// Runs reads in a new context.
  private func read<Answer: Sendable>(
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Answer
  ) async throws -> Answer {
    try await answering {
      try await container.performBackgroundTask(deadline: .now + Self.patience) { try work($0) }
    }
  }

  /// Writes, and retries if another program has changed the same objects. The other change wins, but may
  /// still allow this one.
  private func writeAgain<Answer: Sendable>(
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Answer
  ) async throws -> Answer {
    let end = ContinuousClock.now + Self.patience
    while true {
      do {
        return try await write(work)
      } catch OrderFailure.conflict(OrderFailure.changedMeanwhile) where .now < end {}
    }
  }

  /// Runs writes in a new context when it is its turn to write, and saves the changes.
  private func write<Answer: Sendable>(
    _ work: @escaping @Sendable (NSManagedObjectContext) throws -> Answer
  ) async throws -> Answer {
    try await answering {
      try await container.performBackgroundWrite(deadline: .now + Self.patience) { try work($0) }
    }
  }

  /// Converts the store's errors to failures that the routes can answer.
  private func answering<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
    do {
      return try await work()
    } catch let error as CocoaError {
      throw OrderFailure(error) ?? error
    }
  }
}
