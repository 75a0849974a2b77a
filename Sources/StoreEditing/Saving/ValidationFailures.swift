import CoreData
import Foundation

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
}
