import Foundation
import Predicates

/// Resolves the ambiguity with Foundation's class, as a module has to do that imports both.
typealias NSExpression = Predicates.NSExpression
typealias NSComparisonPredicate = Predicates.NSComparisonPredicate

/// An object with keys. Like a managed object, it knows its keys.
final class Record: KeyValueCoding {
  struct UnknownKey: Error, Equatable {
    let key: String
  }

  private let values: [String: Any?]

  init(_ values: [String: Any?]) { self.values = values }

  func value(forKey key: String) -> Any? { values[key] ?? nil }

  func checkedValue(forKey key: String) throws -> Any? {
    guard let value = values[key] else { throw UnknownKey(key: key) }
    return value
  }
}

/// Whether an object matches a format. Rethrows errors.
func matches(_ format: String, _ object: Any?, _ arguments: Any?..., variables: [String: Any]? = nil) throws
  -> Bool
{
  let predicate = try NSPredicate(parsing: format, arguments: arguments)
  return try PredicateEvaluator(predicate, variables: variables)(object)
}

/// The value of an expression. Rethrows errors.
func value(_ format: String, _ object: Any? = nil, variables: [String: Any]? = nil) throws -> Any? {
  try ExpressionEvaluator(NSExpression(parsing: format), variables: variables)(object)
}
