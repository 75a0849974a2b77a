import CoreData
import Foundation
import Predicates

/// The errors of the model's checks.
enum ValidationFailures {
  /// The codes of Core Data's errors about values and relationships.
  private static let codes = 1_550...1_699

  /// True for an error of the checks, and not of a store.
  static func contain(_ error: NSError) -> Bool {
    error.domain == NSCocoaErrorDomain && codes.contains(error.code)
  }

  /// The errors that an error is made of, or the error itself.
  static func single(of error: any Error) -> [NSError] {
    let error = error as NSError
    guard error.code == NSValidationMultipleErrorsError,
      let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
    else { return [error] }
    return details.flatMap(single)
  }

  /// An error of the checks as a page shows it, such as "rating must be at most 5."
  ///
  /// - Parameter attribute: the attribute with the rule that was broken; `nil` for a relationship.
  static func words(_ failure: NSError, property: String, attribute: NSAttributeDescription?) -> String {
    if failure.code == NSValidationMissingMandatoryPropertyError, failure.domain == NSCocoaErrorDomain,
      failure.userInfo[NSValidationKeyErrorKey] as? String == property, !isNotANumber(failure)
    {
      return "\(property) must have a value."
    }
    guard let attribute, let rule = failure.userInfo[NSValidationPredicateErrorKey] as? NSPredicate,
      !failure.localizedDescription.contains(PredicateEvaluationError.givenUp)
    else { return failure.localizedDescription }
    let rules = zip(attribute.validationPredicates, attribute.validationWarnings)
    let warning = rules.first { $0.0 === rule }?.1 as? String
    let words = RuleWords.words(rule)
    let isSentence = words.hasPrefix("fulfils ")
    let problem =
      isSentence ? "\(property) does not fulfil \(rule.printedFormat)" : "\(property) must be \(words)"
    return warning.map { "\(problem): \($0)." } ?? "\(problem)."
  }

  private static func isNotANumber(_ failure: NSError) -> Bool {
    failure.localizedDescription.contains("not a number (NaN)")
  }
}
