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

  /// An operation failed, or was asked for in a way that cannot be carried out: `NSPersistentStoreOperationError`.
  package static func operation(_ message: String, file: URL? = nil, details: [String: Any] = [:]) -> NSError {
    error(NSPersistentStoreOperationError, message: message, file: file, details: details)
  }

  /// A store could not be saved: `NSPersistentStoreSaveError`.
  static func save(_ message: String, file: URL? = nil, details: [String: Any] = [:]) -> NSError {
    error(NSPersistentStoreSaveError, message: message, file: file, details: details)
  }

  /// A store could not be opened: `NSPersistentStoreOpenError`.
  static func open(_ message: String, file: URL? = nil, details: [String: Any] = [:]) -> NSError {
    error(NSPersistentStoreOpenError, message: message, file: file, details: details)
  }

  /// A store's format does not fit the model: `NSPersistentStoreIncompatibleSchemaError`.
  static func incompatibleSchema(_ message: String, file: URL? = nil, details: [String: Any] = [:]) -> NSError {
    error(NSPersistentStoreIncompatibleSchemaError, message: message, file: file, details: details)
  }

  /// A file's content is not what the store wrote: `CocoaError.fileReadCorruptFile`.
  static func corruptFile(_ message: String, file: URL? = nil, details: [String: Any] = [:]) -> NSError {
    error(CocoaError.fileReadCorruptFile.rawValue, message: message, file: file, details: details)
  }

  /// A file exists at a place where one was to be made: `CocoaError.fileWriteFileExists`.
  static func fileExists(_ message: String, file: URL? = nil, details: [String: Any] = [:]) -> NSError {
    error(CocoaError.fileWriteFileExists.rawValue, message: message, file: file, details: details)
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

extension URL {
  /// The store as errors name it: the path of a file, and the whole of any other address.
  var storeName: String { isFileURL ? path : absoluteString }
}
