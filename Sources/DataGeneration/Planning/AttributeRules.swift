package import CoreData
import Foundation

/// The rules and hints that a model has for an attribute's values: its validation rules, and hints in its user info.
///
/// | in the user info | means |
/// |---|---|
/// | `generate.values` | the values to choose from, separated by commas |
/// | `generate.as` | what a text is about, such as `email` (see `TextKind`) |
/// | `generate.absent` | how often an optional value is missing, from 0 to 1; a tenth without it |
package struct AttributeRules {
  package private(set) var minimum: Double?
  package private(set) var maximum: Double?
  package private(set) var leastLength: Int?
  package private(set) var greatestLength: Int?
  private(set) var expression: String?
  package private(set) var choices: [String]?
  var kind: TextKind?
  private(set) var absence = 0.1

  /// The largest length of a generated text, in UTF-16.
  static let longestText = 1_000_000

  /// Reads the rules and hints of an attribute.
  ///
  /// - Parameter place: the attribute as `Entity.name`, for errors.
  /// - Throws: `GenerationError` when the rules ask for texts that are too long to be made, and for
  ///   a hint that cannot be followed.
  package init(_ attribute: NSAttributeDescription, at place: String) throws(GenerationError) {
    for predicate in attribute.validationPredicates { read(predicate) }
    guard leastLength ?? 0 <= Self.longestText else {
      throw GenerationError(
        place: place,
        problem: "the validation rules ask for texts of more than \(Self.longestText) characters",
        remedy: "seed the entity from a file"
      )
    }
    let hints = attribute.userInfo ?? [:]
    if let values = hints["generate.values"] as? String {
      choices = values.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    if let name = hints["generate.as"] as? String {
      guard let kind = TextKind(rawValue: name) else {
        throw GenerationError(
          place: place,
          problem: "generate.as says \"\(name)\", which is nothing that is known",
          remedy: "say one of \(TextKind.allCases.map(\.rawValue).joined(separator: ", "))"
        )
      }
      self.kind = kind
    }
    if let text = hints["generate.absent"] as? String {
      guard let share = Double(text), (0...1).contains(share) else {
        throw GenerationError(
          place: place,
          problem: "generate.absent says \"\(text)\"",
          remedy: "say a number from 0 to 1"
        )
      }
      absence = share
    }
  }

  private mutating func read(_ predicate: NSPredicate) {
    var pending = [predicate]
    while let next = pending.popLast() {
      guard let compound = next as? NSCompoundPredicate else {
        readComparison(next)
        continue
      }
      guard compound.compoundPredicateType == .and else { continue }
      pending += (compound.subpredicates as [Any]).reversed().compactMap { $0 as? NSPredicate }
    }
  }

  private mutating func readComparison(_ predicate: NSPredicate) {
    guard let comparison = predicate as? ComparisonPredicate,
      comparison.rightExpression.expressionType == .constantValue
    else { return }
    let value = comparison.rightExpression.constantValue
    switch comparison.leftExpression.expressionType {
    case .evaluatedObject: readValue(comparison.predicateOperatorType, value: value)
    case .keyPath where comparison.leftExpression.keyPath == "length":
      readLength(comparison.predicateOperatorType, value: value)
    default: break
    }
  }

  private mutating func readValue(_ type: ComparisonPredicate.Operator, value: Any?) {
    if type == .matches {
      expression = value as? String
      return
    }
    let date = (value as? Date)?.timeIntervalSince1970
    guard let bound = date ?? (value as? NSNumber)?.doubleValue, !bound.isNaN else { return }
    switch type {
    case .greaterThan: raise(minimum: bound.nextUp)
    case .greaterThanOrEqualTo: raise(minimum: bound)
    case .lessThan: lower(maximum: bound.nextDown)
    case .lessThanOrEqualTo: lower(maximum: bound)
    case .equalTo:
      raise(minimum: bound)
      lower(maximum: bound)
    default: break
    }
  }

  private mutating func raise(minimum bound: Double) { minimum = max(minimum ?? bound, bound) }

  private mutating func lower(maximum bound: Double) { maximum = min(maximum ?? bound, bound) }

  private mutating func readLength(_ type: ComparisonPredicate.Operator, value: Any?) {
    guard let number = (value as? NSNumber)?.intValue else { return }
    let bound = min(max(number, 0), Self.longestText + 1)
    let isLeast = [.greaterThan, .greaterThanOrEqualTo, .equalTo].contains(type)
    let isGreatest = [.lessThan, .lessThanOrEqualTo, .equalTo].contains(type)
    if isLeast { leastLength = max(leastLength ?? 0, type == .greaterThan ? bound + 1 : bound) }
    if isGreatest { greatestLength = min(greatestLength ?? .max, type == .lessThan ? bound - 1 : bound) }
  }
}

#if canImport(Darwin)
  typealias ComparisonPredicate = Foundation.NSComparisonPredicate
#else
  // Foundation has a class of that name there too, which cannot be asked for anything.
  typealias ComparisonPredicate = CoreData.NSComparisonPredicate
#endif
