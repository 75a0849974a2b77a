/// The keys between two others, in one of their two orders.
package struct KeySpan: Hashable, Sendable {
  /// The greatest of the keys before the span; `nil` for a span from the first.
  package var lower: Int64?
  /// The lowest key after the span; `nil` for a span to the last key.
  package var upper: Int64?
  /// False for the order from the greatest key to the least.
  package var isAscending: Bool

  package init(lower: Int64? = nil, upper: Int64? = nil, isAscending: Bool = true) {
    self.lower = lower
    self.upper = upper
    self.isAscending = isAscending
  }

  package func contains(_ key: Int64) -> Bool {
    lower.map { key > $0 } ?? true && upper.map { key < $0 } ?? true
  }
}
