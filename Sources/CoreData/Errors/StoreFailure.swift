import Foundation

/// Makes the errors that stores report.
package enum StoreFailure {
  /// An error of `NSCocoaErrorDomain`.
  ///
  /// - Parameters:
  ///   - code: one of Apple's codes.
  ///   - message: what happened, to what, and what can be done.
  ///   - file: the store's file.
  ///   - details: more for the user info.
  package static func error(
    _ code: Int,
    message: String,
    file: URL? = nil,
    details: [String: Any] = [:]
  ) -> NSError {
    var userInfo = details
    if let file {
      userInfo[NSFilePathErrorKey] = file.storeName
      userInfo[NSURLErrorKey] = file
    }
    return CocoaError.coreData(code, message: message, userInfo: userInfo)
  }

  /// The same error with the store's file in it.
  package static func naming(_ file: URL?, in error: any Error) -> any Error {
    guard let file else { return error }
    let error = CocoaError.ofPredicates(error) as NSError
    guard error.userInfo[NSFilePathErrorKey] == nil else { return error }
    var userInfo = error.userInfo
    userInfo[NSFilePathErrorKey] = file.storeName
    userInfo[NSURLErrorKey] = file
    return DescribedError(domain: error.domain, code: error.code, userInfo: userInfo)
  }
}

/// Makes the errors that migrations report.
enum MigrationFailure {
  static func error(_ code: Int, message: String, userInfo: [String: Any] = [:]) -> NSError {
    CocoaError.coreData(code, message: message, userInfo: userInfo)
  }
}

extension URL {
  /// The store as errors name it: the path of a file, and the whole of any other address.
  var storeName: String { isFileURL ? path : absoluteString }
}
