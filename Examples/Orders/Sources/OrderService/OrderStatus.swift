/// The status of an order.
package enum OrderStatus: String, Codable, Sendable, CaseIterable {
  case placed, paid, shipped, cancelled

  /// The statuses that may follow.
  private var next: [OrderStatus] {
    switch self {
    case .placed: [.paid, .cancelled]
    case .paid: [.shipped, .cancelled]
    case .shipped, .cancelled: []
    }
  }

  /// Returns the status after a change. Setting the present status again is allowed, because a client that
  /// received no answer may repeat its request.
  ///
  /// - Throws: `OrderFailure.conflict` if the change is not allowed.
  package func changed(to status: OrderStatus) throws -> OrderStatus {
    guard status == self || next.contains(status) else {
      throw OrderFailure.conflict("an order that is \(rawValue) cannot become \(status.rawValue)")
    }
    return status
  }
}
