import Foundation
import GRDB
import OrderService

/// The orders in a database of GRDB, with which the load test compares the Core Data store.
struct GRDBOrderStore: OrderStore {
  private let pool: DatabasePool

  /// Opens the database at a location. If it does not exist, it is created with the seed's customers and products.
  ///
  /// - Parameter timeout: The seconds after which a request is refused because the database is busy.
  init(at file: URL, timeout: TimeInterval = 5) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    var configuration = Configuration()
    configuration.busyMode = .timeout(timeout)
    // A Core Data store has the same number.
    configuration.maximumReaderCount = 8
    pool = try DatabasePool(path: file.path, configuration: configuration)
    try GRDBSchema.migrate(pool)
    try pool.write { database in
      guard try CustomerRecord.fetchCount(database) == 0 else { return }
      let seed = try OrderSeed.read()
      for customer in seed.customers {
        var record = CustomerRecord(email: customer.email, name: customer.name)
        try record.insert(database)
      }
      for product in seed.products {
        var record = ProductRecord(
          sku: product.sku,
          name: product.name,
          price: Cents(product.price),
          stock: product.stock
        )
        try record.insert(database)
      }
    }
  }

  func close() throws { try pool.close() }

  func order(_ number: String) async throws -> OrderDetails {
    try await read { database in try Self.details(of: number, in: database) }
  }

  func orders(ofCustomer email: String, limit: Int) async throws -> [OrderSummary] {
    try await read { database in
      guard let customer = try CustomerRecord.fetchOne(database, key: ["email": email]) else {
        throw OrderFailure.notFound("there is no customer \(email)")
      }
      return
        try OrderRecord
        .filter { _ in OrderRecord.Columns.customerId == customer.id }
        .order { _ in OrderRecord.Columns.placedAt.desc }
        .limit(limit)
        .fetchAll(database)
        .map(OrderSummary.init)
    }
  }

  func createOrder(_ new: NewOrder) async throws -> OrderDetails {
    try await write { database in
      guard let customer = try CustomerRecord.fetchOne(database, key: ["email": new.customer]) else {
        throw OrderFailure.invalid("there is no customer \(new.customer)")
      }
      let products = try ProductRecord.fetchAll(database, keys: new.lines.map { ["sku": $0.sku] })
      let productsBySKU = Dictionary(uniqueKeysWithValues: products.map { ($0.sku, $0) })
      let lines = try new.lines.map { line in
        guard var product = productsBySKU[line.sku] else {
          throw OrderFailure.invalid("there is no product \(line.sku)")
        }
        if let stock = product.stock {
          guard stock >= line.quantity else {
            throw OrderFailure.conflict(OrderFailure.soldOut(product.sku, left: stock))
          }
          _ = try product.updateChanges(database) { $0.stock = stock - line.quantity }
        }
        return (product, line.quantity)
      }
      let now = Date.now
      var order = OrderRecord(
        number: new.number,
        placedAt: now,
        day: NewOrder.day(of: now),
        status: .placed,
        total: Cents(rawValue: lines.reduce(0) { sum, line in sum + line.0.price.rawValue * Int64(line.1) }),
        customerId: customer.id!
      )
      try order.insert(database)
      var infos: [OrderInfo.Line] = []
      for (product, quantity) in lines {
        var line = OrderLineRecord(
          quantity: quantity,
          price: product.price,
          orderId: order.id!,
          productId: product.id!
        )
        try line.insert(database)
        infos.append(OrderInfo.Line(orderLine: line, product: product))
      }
      return OrderDetails(OrderInfo(order: order, customer: customer, lines: infos))
    }
  }

  func changeStatus(ofOrder number: String, to status: OrderStatus) async throws -> OrderDetails {
    try await write { database in
      guard var order = try OrderRecord.fetchOne(database, key: ["number": number]) else {
        throw OrderFailure.notFound("there is no order \(number)")
      }
      let new = try order.status.changed(to: status)
      _ = try order.updateChanges(database) { $0.status = new }
      return try Self.details(of: number, in: database)
    }
  }

  func report(by grouping: ReportGrouping) async throws -> [ReportRow] {
    try await read { database in
      let column = Column(grouping.rawValue)
      return
        try OrderRecord
        .select(
          column.forKey("grouping"),
          count(OrderRecord.Columns.number).forKey("orders"),
          sum(OrderRecord.Columns.total).forKey("turnover")
        )
        .group(column)
        .order(column)
        .asRequest(of: ReportInfo.self)
        .fetchAll(database)
        .map { ReportRow(group: $0.grouping, orders: $0.orders, turnover: $0.turnover.amount) }
    }
  }

  /// A store that cannot be read already fails when its orders are counted.
  func health() -> OrderStoreHealth { OrderStoreHealth() }

  func orderCount() async throws -> Int { try await read { try OrderRecord.fetchCount($0) } }

  private static func details(of number: String, in database: Database) throws -> OrderDetails {
    let request =
      OrderRecord
      .filter(key: ["number": number])
      .including(required: OrderRecord.customer)
      .including(all: OrderRecord.lines.including(required: OrderLineRecord.product))
      .asRequest(of: OrderInfo.self)
    guard let info = try request.fetchOne(database) else {
      throw OrderFailure.notFound("there is no order \(number)")
    }
    return OrderDetails(info)
  }

  private func read<Answer: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Answer
  ) async throws -> Answer {
    try await OrderFailure.translated { try await pool.read(work) }
  }

  private func write<Answer: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Answer
  ) async throws -> Answer {
    try await OrderFailure.translated { try await pool.write(work) }
  }
}
