import CoreData
import Foundation
import Predicates

/// Reads the errors of the model's validation.
enum ValidationFailures {
  /// The codes of Core Data's validation errors.
  private static let codes = 1_550...1_699

  /// True for a validation error; false for an error of the store.
  static func contain(_ error: NSError) -> Bool { error.domain == NSCocoaErrorDomain && codes.contains(error.code) }

  /// The errors that an error contains, or the error itself.
  static func single(of error: any Error) -> [NSError] {
    let error = error as NSError
    guard error.code == NSValidationMultipleErrorsError,
      let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
    else { return [error] }
    return details.flatMap(single)
  }

  /// The text of a validation error for a page, such as "rating must be at most 5."
  ///
  /// - Parameter attribute: the attribute whose rule is violated; `nil` for a relationship.
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
