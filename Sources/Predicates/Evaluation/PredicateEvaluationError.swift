public import Foundation

/// The reason that a predicate or an expression has no value for an object.
///
/// `NSPredicate.evaluate(with:)` answers `false` where this would be thrown; Core Data's fetches throw it.
public struct PredicateEvaluationError: LocalizedError, Hashable, Sendable {
  /// The problem in words, such as `Text and a number have no order`.
  public let message: String
  /// The part of the predicate that has no value, in the format language; empty when it is not known.
  public private(set) var expression: String
  /// The object whose value is at fault; empty where it is not known, and where it would be the same for all.
  private(set) var object = ""
  /// True where the predicate has a value for other objects.
  private var isOfValue = false

  /// Makes an error.
  public init(_ message: String, expression: String = "") {
    self.message = message
    self.expression = expression
  }

  /// An error about the value of one object.
  static func ofValue(_ message: String) -> PredicateEvaluationError {
    var error = PredicateEvaluationError(message)
    error.isOfValue = true
    return error
  }

  /// The error with the object that was asked, where the value of that is at fault.
  func asked(of object: Any?) -> PredicateEvaluationError {
    guard isOfValue, self.object.isEmpty, let object = object as? any ModelledObject else { return self }
    var error = self
    error.object = object.nameInErrors
    return error
  }

  /// The error with the innermost part that it came from.
  func within(_ part: @autoclosure () -> String) -> PredicateEvaluationError {
    guard expression.isEmpty else { return self }
    var error = self
    error.expression = part()
    return error
  }

  /// The message and the part of the predicate, in one line.
  public var errorDescription: String? { description }
}

extension PredicateEvaluationError: CustomStringConvertible {
  public var description: String {
    let place = expression.isEmpty ? message : "\(message), in the predicate: \(expression)"
    return object.isEmpty ? place : "\(place), asked of \(object)"
  }
}
