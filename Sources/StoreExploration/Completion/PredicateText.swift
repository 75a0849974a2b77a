package import Foundation
import Predicates
import Seeding

/// Values as a predicate's text spells them.
package enum PredicateText {
  package static func text(_ text: String) -> String { NSExpression(forConstantValue: text).description }

  /// A date as `TypedDate` reads it: `"2024-10-01"` for a midnight in UTC, else `"2024-10-01T13:45:00Z"`.
  ///
  /// A date outside of the years 0 to 9999 has no such text. It is `CAST(…, "NSDate")`.
  package static func date(_ date: Date) -> String {
    guard let exact = ISO8601Date.text(date), ISO8601Date.parse(exact) == date else {
      return NSExpression(forConstantValue: date).description
    }
    let midnight = "T00:00:00Z"
    return text(exact.hasSuffix(midnight) ? String(exact.dropLast(midnight.count)) : exact)
  }
}
