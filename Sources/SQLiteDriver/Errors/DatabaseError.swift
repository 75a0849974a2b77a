import Foundation

/// An error of SQLite, or of the driver, which says it in SQLite's codes.
package struct DatabaseError: Error, Sendable {
  /// The code with what SQLite adds to it.
  package let extendedResultCode: ResultCode
  package let message: String?
  /// The statement that failed. The values that were bound to it are not told: they are the user's.
  package let sql: String?

  /// - Parameter message: what has happened; `nil` for SQLite's message for the code.
  package init(resultCode: ResultCode = .SQLITE_ERROR, message: String? = nil, sql: String? = nil) {
    extendedResultCode = resultCode
    self.message = message ?? resultCode.words
    self.sql = sql
  }

  /// The primary code.
  package var resultCode: ResultCode { extendedResultCode.primaryResultCode }
}

extension DatabaseError: CustomStringConvertible {
  package var description: String {
    var description = "SQLite error \(resultCode.rawValue)"
    if let message { description += ": \(message)" }
    if let sql {
      let ends = CharacterSet(charactersIn: ";").union(.whitespacesAndNewlines)
      description += " - while executing `\(sql.trimmingCharacters(in: ends))`"
    }
    return description
  }
}

extension DatabaseError: CustomNSError {
  package static var errorDomain: String { "NSSQLiteErrorDomain" }
  package var errorCode: Int { Int(extendedResultCode.rawValue) }

  package var errorUserInfo: [String: Any] {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
    if let message { userInfo[NSLocalizedFailureReasonErrorKey] = message }
    return userInfo
  }
}
