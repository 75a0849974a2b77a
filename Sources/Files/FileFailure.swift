import Foundation

/// The error of the system for a file that cannot be used.
package struct FileFailure: LocalizedError, CustomStringConvertible, Sendable {
  package let path: String
  /// The number of the error, such as `ENOSPC`.
  package let code: Int32

  /// - Parameter code: the number of the error; the last one of the thread unless given.
  package init(path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  package var description: String { "\(path): \(String(cString: strerror(code)))" }
  package var errorDescription: String? { description }

  /// The code of `NSCocoaErrorDomain` that says the same.
  ///
  /// - Parameter writing: true when the file was to be written.
  package func cocoaCode(writing: Bool = true) -> Int {
    let found: CocoaError.Code =
      switch code {
      case ENOENT, ENOTDIR: writing ? .fileNoSuchFile : .fileReadNoSuchFile
      case EACCES, EPERM: writing ? .fileWriteNoPermission : .fileReadNoPermission
      case ENOSPC, EDQUOT: .fileWriteOutOfSpace
      case EROFS: .fileWriteVolumeReadOnly
      case EEXIST: .fileWriteFileExists
      default: writing ? .fileWriteUnknown : .fileReadUnknown
      }
    return found.rawValue
  }
}

/// Callers of Foundation's and Core Data's interface know errors by their domain and code.
extension FileFailure: CustomNSError {
  package static var errorDomain: String { NSCocoaErrorDomain }
  package var errorCode: Int { cocoaCode() }
  package var errorUserInfo: [String: Any] {
    [
      NSLocalizedDescriptionKey: description,
      NSFilePathErrorKey: path,
      NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(code)),
    ]
  }
}
