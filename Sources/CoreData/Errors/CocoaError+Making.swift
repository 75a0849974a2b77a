import Foundation

extension CocoaError {
  /// An error in `NSCocoaErrorDomain` with one of Apple's codes and a message that says what to do.
  static func coreData(_ code: Int, _ message: String, _ userInfo: [String: Any] = [:]) -> NSError {
    var userInfo = userInfo
    userInfo[NSLocalizedDescriptionKey] = message
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }
}
