import Foundation
import Predicates
import Seeding

/// Values as a predicate's text spells them.
enum PredicateText {
  static func text(_ text: String) -> String { NSExpression(forConstantValue: text).description }

  /// A date in ISO 8601, such as `"2024-01-01T00:00:00Z"`, which people read and write; a date that ISO 8601
  /// has no digits for as a cast of its seconds.
  static func date(_ date: Date) -> String {
    ISO8601Date.text(date).map { "\"\($0)\"" } ?? NSExpression(forConstantValue: date).description
  }

  /// A key path as a predicate's text has it: a reserved word gets its number sign.
  static func key(_ keyPath: String) -> String { NSExpression(forKeyPath: keyPath).description }

  /// Any value of an attribute; `nil` for one that the format language has no words for.
  static func value(_ value: Any) -> String? {
    switch value {
    case let date as Date: self.date(date)
    case let text as String: self.text(text)
    case let url as URL: cast(url, "b")
    case let uuid as UUID: cast(uuid, "b")
    case let number as NSNumber: NSExpression(forConstantValue: number).description
    default: nil
    }
  }

  /// What a printed comparison has behind its operator.
  private static func cast(_ value: Any, _ key: String) -> String {
    String(
      NSPredicate(format: "%K == %@", argumentArray: [key, value]).printedFormat.dropFirst("\(key) == ".count)
    )
  }
}
