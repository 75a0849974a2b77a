import Foundation

/// The system's error for a file that cannot be used.
package struct FileFailure: LocalizedError, CustomStringConvertible, Sendable {
  package let path: String
  /// The value of `errno`, such as `ENOSPC`.
  package let code: Int32

  /// Makes an error for a path.
  ///
  /// - Parameter code: the value of `errno`. The default is the thread's last error.
  package init(path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  package var description: String { "\(path): \(String(cString: strerror(code)))" }
  package var errorDescription: String? { description }

  /// Returns the code of `NSCocoaErrorDomain` with the same meaning.
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

/// Callers of Foundation's and Core Data's interfaces identify errors by their domain and code.
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
