import Foundation
import Predicates

extension CocoaError {
  /// An error in `NSCocoaErrorDomain` with one of Apple's codes and a message that says what to do.
  static func coreData(_ code: Int, _ message: String, _ userInfo: [String: Any] = [:]) -> NSError {
    var userInfo = userInfo
    userInfo[NSLocalizedDescriptionKey] = message
    return DescribedError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }

  /// Carries out what a program asked for, with errors of predicates in `NSCocoaErrorDomain`:
  /// without Objective-C `catch let error as NSError` lets other errors pass, where the compiler
  /// takes it to catch all.
  static func ofPredicates<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as PredicateEvaluationError {
      throw coreData(error)
    }
  }

  private static func coreData(_ error: PredicateEvaluationError) -> NSError {
    coreData(
      NSPersistentStoreUnsupportedRequestTypeError,
      error.description,
      [NSUnderlyingErrorKey: error]
    )
  }

  /// An error as a program is given it.
  static func ofPredicates(_ error: any Error) -> any Error {
    (error as? PredicateEvaluationError).map(coreData) ?? error
  }
}
