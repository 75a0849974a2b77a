package import Foundation

/// A way in which a sort descriptor compares the values of its key.
package enum SortComparison {
  /// `compare:`: by value; texts by the codes of their characters.
  case standard
  /// `caseInsensitiveCompare:`
  case caseInsensitive
  /// `localizedCompare:`
  case localized
  /// `localizedCaseInsensitiveCompare:`
  case localizedCaseInsensitive
  /// `localizedStandardCompare:`: as file lists are sorted, numbers by value and without regard to case.
  case localizedStandard
  /// A closure.
  case custom(Comparator)

  /// The comparison that a selector names; `nil` for an unknown one. No selector is `compare:`.
  package init?(_ selector: Selector?) {
    switch selector?.name {
    case nil, "compare:": self = .standard
    case "caseInsensitiveCompare:": self = .caseInsensitive
    case "localizedCompare:": self = .localized
    case "localizedCaseInsensitiveCompare:": self = .localizedCaseInsensitive
    case "localizedStandardCompare:": self = .localizedStandard
    default: return nil
    }
  }

  /// The selector; `nil` for a closure.
  package var selector: Selector? {
    switch self {
    case .standard: "compare:"
    case .caseInsensitive: "caseInsensitiveCompare:"
    case .localized: "localizedCompare:"
    case .localizedCaseInsensitive: "localizedCaseInsensitiveCompare:"
    case .localizedStandard: "localizedStandardCompare:"
    case .custom: nil
    }
  }

  /// The order of texts.
  package var textOrder: TextOrder {
    switch self {
    case .standard, .custom: .codes
    case .caseInsensitive: .folded(.caseInsensitive)
    case .localized: .locale()
    case .localizedCaseInsensitive: .locale(.caseInsensitive)
    case .localizedStandard: .locale(.caseInsensitive, numeric: true)
    }
  }

  /// The order of two values; null comes first. Records have that of their IDs.
  ///
  /// - Throws: `PredicateEvaluationError` for values without an order, such as text and a number.
  package func compare(_ first: EvaluatedValue, second: EvaluatedValue) throws -> ComparisonResult {
    if case .custom(let comparator) = self {
      return comparator(first.any ?? NSNull(), second.any ?? NSNull())
    }
    switch (first, second) {
    case (.null, .null): return .orderedSame
    case (.null, _): return .orderedAscending
    case (_, .null): return .orderedDescending
    default: break
    }
    if let result = first.compare(second, text: textOrder) { return result }
    if case (.number(let a), .number(let b)) = (first, second) { return Self.orderNotANumber(a, b) }
    if case (.object(let a as any IdentifiedObject), .object(let b as any IdentifiedObject)) = (first, second) {
      let (a, b) = (a.recordOrder, b.recordOrder)
      return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
    }
    if first.isEqual(to: second) { return .orderedSame }
    throw PredicateEvaluationError(
      "A value that is \(first.typeName) and one that is \(second.typeName) have no order to sort by"
    )
  }

  /// The order of two values of which one may be not a number (NaN): such a value comes before the
  /// numbers, so that sorting has an order at all.
  private static func orderNotANumber(_ a: NumberValue, _ b: NumberValue) -> ComparisonResult {
    switch (a.double.isNaN, b.double.isNaN) {
    case (true, false): .orderedAscending
    case (false, true): .orderedDescending
    default: .orderedSame
    }
  }
}
