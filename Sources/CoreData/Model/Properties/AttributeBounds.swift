import Foundation
import ModelFormats
import Predicates

/// The bounds that a model file sets to the valid values of an attribute.
struct AttributeBounds: Equatable {
  /// The smallest value, or the length of the shortest string.
  var minimum: ModelDocument.Value?
  /// The largest value, or the length of the longest string.
  var maximum: ModelDocument.Value?
  /// The regular expression that a whole string has to match.
  var pattern: String?
}

extension AttributeBounds {
  /// A condition with the code of the error when it is not fulfilled, as compiled models have them.
  typealias Condition = (predicate: NSPredicate, code: Int)

  /// The conditions that the bounds come to.
  func conditions(for type: NSAttributeType) -> [Condition] {
    let codes = Self.codes(for: type)
    let value =
      type == .stringAttributeType
      ? NSExpression(forKeyPath: "length") : NSExpression.expressionForEvaluatedObject()
    var conditions: [Condition] = []
    if let minimum {
      conditions.append((Self.comparison(value, type: .greaterThanOrEqualTo, value: minimum.object), codes.tooSmall))
    }
    if let maximum {
      conditions.append((Self.comparison(value, type: .lessThanOrEqualTo, value: maximum.object), codes.tooLarge))
    }
    if let pattern {
      let predicate = Self.comparison(.expressionForEvaluatedObject(), type: .matches, value: pattern)
      conditions.append((predicate, NSValidationStringPatternMatchingError))
    }
    return conditions
  }

  private static func codes(for type: NSAttributeType) -> (tooSmall: Int, tooLarge: Int) {
    switch type {
    case .stringAttributeType: (NSValidationStringTooShortError, NSValidationStringTooLongError)
    case .dateAttributeType: (NSValidationDateTooSoonError, NSValidationDateTooLateError)
    default: (NSValidationNumberTooSmallError, NSValidationNumberTooLargeError)
    }
  }

  private static func comparison(
    _ left: NSExpression,
    type: NSComparisonPredicate.Operator,
    value: Any
  ) -> NSPredicate {
    NSComparisonPredicate(
      leftExpression: left,
      rightExpression: NSExpression(forConstantValue: value),
      modifier: .direct,
      type: type
    )
  }
}

extension NSAttributeDescription {
  /// Sets the bounds of a model file and its further conditions: the predicates that they come to,
  /// and the codes or texts of their errors.
  ///
  /// - Throws: `PredicateFormatError` when a condition is not a predicate.
  final func setValidation(
    _ newBounds: AttributeBounds,
    validations: [ModelDocument.Validation]
  ) throws(PredicateFormatError) {
    let conditions = newBounds.conditions(for: attributeType)
    predicates = conditions.map(\.predicate)
    warnings = conditions.map { NSNumber(value: $0.code) }
    bounds = newBounds
    for validation in validations {
      predicates.append(try NSPredicate(parsing: validation.predicate))
      warnings.append(validation.warning ?? NSNumber(value: validation.code ?? NSManagedObjectValidationError))
    }
  }

  /// The conditions that do not come from the bounds of a model file; those come first.
  final var furtherValidations: [ModelDocument.Validation] {
    zip(predicates, warnings).dropFirst(bounds.conditions(for: attributeType).count).map {
      predicate,
      warning in
      var validation = ModelDocument.Validation(predicate: predicate.description)
      validation.code = (warning as? NSNumber)?.intValue
      validation.warning = warning as? String
      return validation
    }
  }
}

extension NSAttributeType {
  /// The range of an integer of 16 or 32 bits; `nil` for other types.
  var narrowRange: ClosedRange<Int64>? {
    switch self {
    case .integer16AttributeType: Int64(Int16.min)...Int64(Int16.max)
    case .integer32AttributeType: Int64(Int32.min)...Int64(Int32.max)
    default: nil
    }
  }
}
