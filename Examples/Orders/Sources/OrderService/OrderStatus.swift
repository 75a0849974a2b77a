/// How far an order is.
package enum OrderStatus: String, Codable, Sendable, CaseIterable {
  case placed, paid, shipped, cancelled

  /// Those that may follow.
  private var next: [OrderStatus] {
    switch self {
    case .placed: [.paid, .cancelled]
    case .paid: [.shipped, .cancelled]
    case .shipped, .cancelled: []
    }
  }

  /// Returns the status after a change. Asking for the one that an order has is no change: a client that
  /// heard no answer may ask again.
  ///
  /// - Throws: `OrderFailure.conflict` when the change is not allowed.
  package func changed(to status: OrderStatus) throws -> OrderStatus {
    guard status == self || next.contains(status) else {
      throw OrderFailure.conflict("an order that is \(rawValue) cannot become \(status.rawValue)")
    }
    return status
  }
}
