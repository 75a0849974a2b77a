import Files
import Foundation
import SQLiteDriver

/// Turns SQLite's errors into Apple's.
///
/// The messages do not say whether the store was changed: the same error comes from a save that was rolled back, from a
/// commit whose outcome SQLite does not know, and from shrinking the file after a commit. Only the caller knows.
enum SQLiteFailure {
  /// The error that Apple's framework reports for one of SQLite's.
  ///
  /// - Parameters:
  ///   - error: an error of the driver; any other error is returned unchanged.
  ///   - file: the store's file.
  ///   - doing: what failed, as the message begins: "The store could not be saved".
  static func error(_ error: any Error, file: URL?, doing: String) -> any Error {
    if let failure = error as? FileFailure {
      return StoreFailure.error(
        failure.cocoaCode(),
        message: "\(doing): \(failure.description).",
        file: file,
        details: [NSUnderlyingErrorKey: failure]
      )
    }
    if let unanswerable = error as? SQLUntranslatable { return StoreFailure.naming(file, in: unanswerable.error) }
    if error is StoreClosing {
      return StoreFailure.operation("\(doing): \(file?.path ?? "the store") is being closed.", file: file)
    }
    if let ended = error as? StoreCallEnded { return ended.error(file: file) }
    guard let error = error as? DatabaseError else { return StoreFailure.naming(file, in: error) }
    if let ended = end(error.resultCode) { return ended.error(file: file) }
    let result = error.extendedResultCode
    let cause = error.message ?? "SQLite error \(result.rawValue)"
    let (code, advice) = codeAndRemedy(result)
    let remedy = advice.isEmpty ? "" : " \(advice)"
    let path = file?.path ?? "the store"
    return StoreFailure.error(
      code,
      message: "\(doing): \(path): \(cause) (SQLite \(result.rawValue)).\(remedy)",
      file: file,
      details: [
        NSSQLiteErrorDomain: Int(result.rawValue),
        NSUnderlyingErrorKey: NSError(
          domain: NSSQLiteErrorDomain,
          code: Int(result.rawValue),
          userInfo: [NSLocalizedDescriptionKey: cause]
        ),
      ]
    )
  }

  /// The error for work that may throw errors of the application, which are passed through.
  static func errorOfStore(_ error: any Error, file: URL?, doing: String) -> any Error {
    let isOfStore = error is DatabaseError || error is StoreClosing || error is StoreCallEnded
    return isOfStore ? Self.error(error, file: file, doing: doing) : error
  }

  /// The end of the call that made SQLite stop to wait, or to work.
  private static func end(_ code: ResultCode) -> StoreCallEnded? {
    guard let call = StoreCall.current else { return nil }
    switch code {
    case .SQLITE_INTERRUPT:
      return call.end.map { StoreCallEnded(end: $0, subject: "at work on the store") }
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      let end = call.end ?? (call.isCancelled ? .cancelled : nil)
      return end.map { StoreCallEnded(end: $0, subject: "waiting for others who use the store") }
    default: return nil
    }
  }

  private static func codeAndRemedy(_ code: ResultCode) -> (Int, String) {
    switch code {
    case .SQLITE_NOTADB:
      (CocoaError.fileReadCorruptFile.rawValue, "The file is not a database; name the store's own file.")
    case .SQLITE_CORRUPT: (CocoaError.fileReadCorruptFile.rawValue, "The database is damaged; restore a copy.")
    case .SQLITE_READONLY_ROLLBACK:
      (
        CocoaError.fileReadNoPermission.rawValue,
        """
        A process was killed while it wrote the store, and half of its change is in the file. Have a user open the store \
        who may write the file and its folder, for example with perennial inspect: that rolls the change back.
        """
      )
    case .SQLITE_READONLY:
      (
        CocoaError.fileWriteNoPermission.rawValue,
        "Make the file and its folder writable, or open it with NSReadOnlyPersistentStoreOption."
      )
    case .SQLITE_PERM, .SQLITE_AUTH:
      (CocoaError.fileReadNoPermission.rawValue, "Give this user access to the file and its folder.")
    case .SQLITE_CANTOPEN:
      (NSPersistentStoreOpenError, "Check that its folder exists and that this user may read and write in it.")
    case .SQLITE_FULL: (CocoaError.fileWriteOutOfSpace.rawValue, "Make room on the disk.")
    case .SQLITE_IOERR:
      (
        NSSQLiteError,
        "The disk or the file system failed; see the system's log, and look at the store with perennial check."
      )
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      (
        NSPersistentStoreTimeoutError,
        "Others are using the store; try again, or wait longer with NSPersistentStoreTimeoutOption."
      )
    default: (NSSQLiteError, "")
    }
  }
}
