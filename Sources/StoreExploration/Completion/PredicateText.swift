import Foundation
import Predicates

/// Values as a predicate's text spells them.
enum PredicateText {
  static func text(_ text: String) -> String { NSExpression(forConstantValue: text).description }

  static func date(_ date: Date) -> String { NSExpression(forConstantValue: date).description }
}
