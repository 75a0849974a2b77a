import Foundation
import Predicates

/// Makes the errors of requests that have no SQL. They are thrown before anything runs.
enum SQLTranslationFailure {
  /// - Parameters:
  ///   - part: the part of the predicate, the expression or the key that has no SQL.
  ///   - reason: why, and what to do.
  static func error(_ part: String, _ reason: String) -> any Error {
    StoreFailure.error(
      NSPersistentStoreUnsupportedRequestTypeError,
      "\(part) cannot be asked of a SQL store: \(reason)."
    )
  }

  /// - Throws: an error when the predicate is nested too deeply.
  static func requireHeight(of predicate: NSPredicate) throws {
    do throws(PredicateEvaluationError) {
      try TreeHeight.check(predicate)
    } catch {
      throw StoreFailure.error(NSPersistentStoreUnsupportedRequestTypeError, error.description)
    }
  }

  static func unknownKey(_ key: String, in path: String, entity: NSEntityDescription) -> any Error {
    StoreFailure.error(
      NSPersistentStoreUnsupportedRequestTypeError,
      """
      The entity \(entity.name ?? "") has no property \(key)\(key == path ? "" : ", in the key path \(path)"); \
      it has \(entity.allPropertiesByName.keys.sorted().joined(separator: ", ")).
      """
    )
  }
}
