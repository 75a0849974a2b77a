package import Foundation
import Predicates
import Seeding

/// Spells values as the text of a predicate does.
package enum PredicateText {
  package static func text(_ text: String) -> String { NSExpression(forConstantValue: text).description }

  /// A date as `TypedDate` reads it: `"2024-10-01"` for a midnight in UTC, else `"2024-10-01T13:45:00Z"`.
  ///
  /// The syntax has no years outside of 0 to 9999. Such a date is spelled `CAST(…, "NSDate")`.
  package static func date(_ date: Date) -> String {
    guard let exact = ISO8601Date.text(date), ISO8601Date.parse(exact) == date else {
      return NSExpression(forConstantValue: date).description
    }
    let midnight = "T00:00:00Z"
    return text(exact.hasSuffix(midnight) ? String(exact.dropLast(midnight.count)) : exact)
  }

  /// A key path in the text of a predicate. A reserved word gets a number sign.
  static func key(_ keyPath: String) -> String { NSExpression(forKeyPath: keyPath).description }

  /// Any value of an attribute; `nil` if the format language cannot spell it.
  static func value(_ value: Any) -> String? {
    switch value {
    case let date as Date: self.date(date)
    case let text as String: self.text(text)
    case let url as URL: cast(url, key: "b")
    case let uuid as UUID: cast(uuid, key: "b")
    case let number as NSNumber: NSExpression(forConstantValue: number).description
    default: nil
    }
  }

  /// The right side of a printed comparison with the value.
  private static func cast(_ value: Any, key: String) -> String {
    String(NSPredicate(format: "%K == %@", argumentArray: [key, value]).printedFormat.dropFirst("\(key) == ".count))
  }
}
