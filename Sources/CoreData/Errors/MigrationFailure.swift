import Foundation

/// Makes the errors that migrations report.
enum MigrationFailure {
  static func error(_ code: Int, _ message: String, _ userInfo: [String: Any] = [:]) -> NSError {
    CocoaError.coreData(code, message, userInfo)
  }
}
