import CoreData
import Foundation
import Predicates
import StoreExploration

/// Describes a rule of the model for a value, such as "at most 5".
enum RuleWords {
  /// The greatest number of values of a list in a description.
  private static let mostValues = 20

  /// The descriptions of an attribute's rules, apart from the limits of its type.
  static func rules(of attribute: NSAttributeDescription) -> [String] { attribute.validationPredicates.map(words) }

  /// The description of a rule. If no simpler text exists, it contains the predicate.
  static func words(_ predicate: NSPredicate) -> String {
    simpleWords(predicate) ?? "fulfils \(predicate.printedFormat)"
  }

  /// The bound of a rule such as `SELF <= 5`; `nil` for any other rule. The bound of `SELF < 5` is also 5,
  /// because the model validates each value exactly.
  static func bound(_ predicate: NSPredicate) -> (isLeast: Bool, number: NSNumber)? {
    guard let comparison = predicate as? ComparisonPredicate,
      comparison.leftExpression.expressionType == .evaluatedObject,
      comparison.rightExpression.expressionType == .constantValue,
      let number = comparison.rightExpression.constantValue as? NSNumber
    else { return nil }
    switch comparison.predicateOperatorType {
    case .lessThan, .lessThanOrEqualTo: return (false, number)
    case .greaterThan, .greaterThanOrEqualTo: return (true, number)
    default: return nil
    }
  }

  private static func simpleWords(_ predicate: NSPredicate) -> String? {
    if let comparison = predicate as? ComparisonPredicate { return comparisonWords(comparison) }
    guard let compound = predicate as? NSCompoundPredicate else { return nil }
    let parts = (compound.subpredicates as [Any]).compactMap { ($0 as? NSPredicate).flatMap(simpleWords) }
    guard parts.count == compound.subpredicates.count, !parts.isEmpty else { return nil }
    switch compound.compoundPredicateType {
    case .and: return parts.joined(separator: " and ")
    case .or: return parts.joined(separator: " or ")
    default: return nil
    }
  }

  private static func comparisonWords(_ comparison: ComparisonPredicate) -> String? {
    switch comparison.leftExpression.expressionType {
    case .evaluatedObject: return words(ofValue: comparison)
    case .keyPath where comparison.leftExpression.keyPath == "length": return words(ofLength: comparison)
    default: return nil
    }
  }

  private static func words(ofValue comparison: ComparisonPredicate) -> String? {
    let right = comparison.rightExpression
    if comparison.predicateOperatorType == .between || comparison.predicateOperatorType == .in {
      guard let values = list(right), !values.isEmpty, values.count <= mostValues else { return nil }
      if comparison.predicateOperatorType == .in { return "one of " + values.joined(separator: ", ") }
      return values.count == 2 ? "from \(values[0]) to \(values[1])" : nil
    }
    guard right.expressionType == .constantValue, let value = text(right.constantValue) else { return nil }
    let isDate = right.constantValue is Date
    switch comparison.predicateOperatorType {
    case .lessThan: return isDate ? "before \(value)" : "less than \(value)"
    case .lessThanOrEqualTo: return isDate ? "\(value) or before" : "at most \(value)"
    case .greaterThan: return isDate ? "after \(value)" : "more than \(value)"
    case .greaterThanOrEqualTo: return isDate ? "\(value) or after" : "at least \(value)"
    case .equalTo: return "exactly \(value)"
    case .notEqualTo: return "other than \(value)"
    case .matches: return "of the form \(value)"
    case .like: return "like \(value)"
    case .beginsWith: return "beginning with \(value)"
    case .endsWith: return "ending with \(value)"
    case .contains: return "containing \(value)"
    default: return nil
    }
  }

  private static func words(ofLength comparison: ComparisonPredicate) -> String? {
    guard comparison.rightExpression.expressionType == .constantValue,
      let number = comparison.rightExpression.constantValue as? NSNumber
    else { return nil }
    let characters = number == 1 ? "1 character" : "\(number) characters"
    switch comparison.predicateOperatorType {
    case .lessThan: return "less than \(characters)"
    case .lessThanOrEqualTo: return "at most \(characters)"
    case .greaterThan: return "more than \(characters)"
    case .greaterThanOrEqualTo: return "at least \(characters)"
    case .equalTo: return "exactly \(characters)"
    default: return nil
    }
  }

  /// The constants of a list; `nil` if the expression is not a list of constants.
  private static func list(_ expression: RuleExpression) -> [String]? {
    let values: [Any]?
    switch expression.expressionType {
    case .constantValue: values = expression.constantValue as? [Any]
    case .aggregate:
      let elements = expression.collection as? [RuleExpression]
      values = elements.flatMap { elements in
        let constants = elements.filter { $0.expressionType == .constantValue }.compactMap(\.constantValue)
        return constants.count == elements.count ? constants : nil
      }
    default: values = nil
    }
    guard let values else { return nil }
    let texts = values.compactMap(text)
    return texts.count == values.count ? texts : nil
  }

  private static func text(_ value: Any?) -> String? {
    switch value {
    case let text as String: "“\(text)”"
    case let date as Date: FieldText.text(.date(date))
    case let number as NSNumber: "\(number)"
    default: nil
    }
  }
}

#if canImport(Darwin)
  private typealias ComparisonPredicate = Foundation.NSComparisonPredicate
  private typealias RuleExpression = Foundation.NSExpression
#else
  // Foundation on Linux has classes with these names, but without properties.
  private typealias ComparisonPredicate = CoreData.NSComparisonPredicate
  private typealias RuleExpression = CoreData.NSExpression
#endif
