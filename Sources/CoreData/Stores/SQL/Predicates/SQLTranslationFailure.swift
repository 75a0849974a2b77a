import Foundation
import Predicates

/// Thrown for a request that a database cannot evaluate, or evaluates differently from memory: by its dialect,
/// and by the translation where no database can.
///
/// The store lets memory evaluate that part of the request: see ``SQLResidualFilter``. If memory cannot do so either,
/// the program gets ``error``.
package struct SQLUntranslatable: Error {
  /// The part of the predicate, the expression or the key.
  let part: String
  let reason: String

  package init(part: String, reason: String) {
    self.part = part
    self.reason = reason
  }

  /// The error that names the part and the reason.
  package var error: any Error { SQLTranslationFailure.error(part, reason: reason) }

  /// The value of some work; `nil` where the database cannot evaluate the query.
  ///
  /// - Throws: all other errors of the work.
  package static func asNil<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch is SQLUntranslatable {
      return nil
    }
  }
}

/// Creates the errors of requests that cannot be written in SQL. They are thrown before anything runs.
package enum SQLTranslationFailure {
  /// - Parameters:
  ///   - part: the part of the predicate, the expression or the key that has no SQL.
  ///   - reason: the reason and the remedy.
  package static func error(_ part: String, reason: String) -> any Error {
    StoreFailure.error(
      NSPersistentStoreUnsupportedRequestTypeError,
      message: "\(part) cannot be asked of a SQL store: \(reason)."
    )
  }

  /// - Throws: an error when the predicate is nested too deeply.
  static func requireHeight(of predicate: NSPredicate) throws {
    do throws(PredicateEvaluationError) {
      try TreeHeight.check(predicate)
    } catch {
      throw StoreFailure.error(NSPersistentStoreUnsupportedRequestTypeError, message: error.description)
    }
  }

  static func unknownKey(_ key: String, in path: String, entity: NSEntityDescription) -> any Error {
    StoreFailure.error(
      NSPersistentStoreUnsupportedRequestTypeError,
      message: """
        The entity \(entity.name ?? "") has no property \(key)\(key == path ? "" : ", in the key path \(path)"); \
        it has \(entity.allPropertiesByName.keys.sorted().joined(separator: ", ")).
        """
    )
  }
}
