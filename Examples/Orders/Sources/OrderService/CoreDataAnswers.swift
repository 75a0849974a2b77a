import CoreData

// Objects stay in their context. Values like these can leave it.

extension OrderDetails {
  init(_ order: Order) throws {
    self.init(
      number: order.number,
      placedAt: order.placedAt,
      status: try OrderStatus(stored: order.status),
      total: order.total,
      customer: Customer(email: order.customer?.email ?? "", name: order.customer?.name ?? ""),
      lines: order.lines.map { line in
        Line(
          sku: line.product?.sku ?? "",
          name: line.product?.name ?? "",
          quantity: Int(line.quantity),
          price: line.price
        )
      }
    )
  }
}

extension OrderSummary {
  init(_ order: Order) throws {
    self.init(
      number: order.number,
      placedAt: order.placedAt,
      status: try OrderStatus(stored: order.status),
      total: order.total
    )
  }
}

extension Product {
  /// Removes a quantity from the stock, if the product's stock is counted.
  ///
  /// - Throws: `OrderFailure.conflict` if the stock is too small.
  func take(_ quantity: Int) throws {
    guard let stock = stock?.intValue else { return }
    guard stock >= quantity else { throw OrderFailure.conflict(OrderFailure.soldOut(sku, left: stock)) }
    self.stock = NSNumber(value: stock - quantity)
  }
}

extension OrderStatus {
  /// The status for a stored text.
  ///
  /// - Throws: `CocoaError` if another version of the program has stored an unknown status.
  package init(stored text: String) throws {
    guard let status = OrderStatus(rawValue: text) else {
      throw CocoaError(.coderInvalidValue, userInfo: [NSLocalizedDescriptionKey: "unknown status \(text)"])
    }
    self = status
  }
}

extension ReportRow {
  /// Makes a row from a dictionary of a fetch.
  init(_ row: NSDictionary, by grouping: ReportGrouping) {
    self.init(
      group: row[grouping.rawValue] as? String ?? "",
      orders: row["orders"] as? Int ?? 0,
      turnover: (row["turnover"] as? NSDecimalNumber)?.decimalValue ?? 0
    )
  }
}

extension OrderFailure {
  static let changedMeanwhile = "others have changed the order meanwhile; look at it and try again"

  package static func soldOut(_ sku: String, left: Int) -> String { "of \(sku) there are \(left) left" }

  /// The failure for an error of Core Data; nil if the client cannot correct the error.
  init?(_ error: CocoaError) {
    switch error.code {
    case .managedObjectConstraintMerge: self = .conflict("there is an order of that number already")
    case .managedObjectMerge: self = .conflict(Self.changedMeanwhile)
    case .persistentStoreTimeout: self = .busy
    default: return nil
    }
  }
}
