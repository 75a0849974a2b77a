import Digests
public import Foundation
import Texts

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file with a secret. The server of a store derives the same token from it at each start.
///
/// A user who can read the file can open all stores that are served with it. The file is created with the mode
/// 0600, and rejected if other users can read or write it.
struct TokenFile {
  private let path: String
  /// The number of hexadecimal digits of the secret.
  private static let digits = 64

  init(_ url: URL) { path = url.path }

  /// Returns the token of a store.
  ///
  /// - Parameter identifier: the UUID of the store, so that two stores have different tokens.
  /// - Throws: a `TokenFileError` with the reason and the remedy.
  func token(ofStore identifier: String) throws -> SessionToken {
    let digest = SHA256.hash(data: Data("\(try secret()) \(identifier)".utf8))
    return SessionToken(HexadecimalDigits.of(digest.prefix(16)))
  }

  private func secret() throws -> String {
    if let made = try make() { return made }
    return try read()
  }

  /// Creates the file with a new secret; returns `nil` if the file exists.
  private func make() throws -> String? {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor < 0 {
      if errno == EEXIST { return nil }
      throw TokenFileError(
        path: path,
        problem: "it cannot be made: \(Self.reason)",
        remedy: "name a file in a folder of your own"
      )
    }
    defer { close(descriptor) }
    let secret = SessionToken().text + SessionToken().text
    let bytes = Array((secret + "\n").utf8)
    guard fchmod(descriptor, 0o600) == 0, write(descriptor, bytes, bytes.count) == bytes.count,
      fsync(descriptor) == 0
    else {
      let reason = Self.reason
      unlink(path)
      throw TokenFileError(
        path: path,
        problem: "it cannot be written: \(reason)",
        remedy: "name a file on another disk"
      )
    }
    return secret
  }

  private func read() throws -> String {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw TokenFileError(
        path: path,
        problem: "it cannot be read: \(Self.reason)",
        remedy: "name a file of your own that is no link"
      )
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TokenFileError(path: path, problem: "it is no regular file", remedy: "name another one")
    }
    guard status.st_uid == geteuid() else {
      throw TokenFileError(
        path: path,
        problem: "it belongs to another user",
        remedy: "name a file of your own"
      )
    }
    guard status.st_mode & 0o077 == 0 else {
      throw TokenFileError(
        path: path,
        problem: "other users can read or write it",
        remedy: "delete it, so that it is made anew, and send new links: they may know the secret"
      )
    }
    // The buffer has space for a line feed and one more byte, so that a longer file is recognized and rejected.
    var bytes = [UInt8](repeating: 0, count: Self.digits + 2)
    let count = bytes.withUnsafeMutableBytes { buffer in
      #if canImport(Darwin)
        Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
    }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).trimmingCharacters(in: .newlines)
    guard text.utf8.count == Self.digits, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
    else {
      throw TokenFileError(
        path: path,
        problem: "it has no token: \(Self.digits) digits are expected",
        remedy: "delete it, or name another one"
      )
    }
    return text
  }

  private static var reason: String { String(cString: strerror(errno)) }
}

/// The reason why a token file cannot be used.
public struct TokenFileError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The file, the problem and the remedy in one line.
  public let description: String

  init(path: String, problem: String, remedy: String) {
    description =
      VisibleText(line: "the token file \(path): \(problem); \(remedy)", atMost: 2_000).description
  }

  /// The same line as `description`.
  public var errorDescription: String? { description }
}
