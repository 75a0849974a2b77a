import Digests
import Files
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
/// 0600, and rejected if other users can read or write it. Starts at the same time agree on one secret, and a power
/// failure does not leave an incomplete file.
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
    // The usual start finds the file and writes nothing, so that it also works in a folder without write permission.
    if case .nothing = FileKind(at: path) { try make() }
    return try read()
  }

  /// Creates the file with a new secret, completely or not at all. If another start creates it at the same time,
  /// the first file stays.
  private func make() throws {
    let temporary = FilePlacing.folder(of: path) + "/.perennial-token-\(UUID().uuidString)"
    let file: Descriptor
    do {
      file = try Descriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    } catch let failure as FileFailure {
      throw error("it cannot be made: \(Self.reason(failure))", remedy: "name a file in a folder of your own")
    }
    // The temporary file is left over if another start was first, or if an error was thrown.
    defer { unlink(temporary) }
    do {
      guard fchmod(file.number, 0o600) == 0 else { throw FileFailure(path: path) }
      try file.write(Data((SessionToken().text + SessionToken().text + "\n").utf8))
      try file.synchronize()
      _ = try FilePlacing.putIfAbsent(temporary, at: path)
    } catch let failure as FileFailure {
      throw error("it cannot be written: \(Self.reason(failure))", remedy: "name a file on another disk")
    }
  }

  private func read() throws -> String {
    let file: Descriptor
    do {
      file = try Descriptor(path: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch let failure as FileFailure {
      throw error("it cannot be read: \(Self.reason(failure))", remedy: "name a file of your own that is not a link")
    }
    guard let status = try? file.status(), case .regular = FileKind(status) else {
      throw error("it is not a regular file", remedy: "name another one")
    }
    guard file.isOwn else { throw error("it belongs to another user", remedy: "name a file of your own") }
    guard file.isPrivate else {
      throw error(
        "other users can read or write it",
        remedy: "delete it, so that it is made anew, and send new links: they may know the secret"
      )
    }
    // The buffer has space for a line feed and one more byte, so that a longer file is recognized and rejected.
    var bytes = [UInt8](repeating: 0, count: Self.digits + 2)
    let count = bytes.withUnsafeMutableBytes { buffer in
      #if canImport(Darwin)
        Darwin.read(file.number, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        Musl.read(file.number, buffer.baseAddress, buffer.count)
      #else
        Glibc.read(file.number, buffer.baseAddress, buffer.count)
      #endif
    }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).trimmingCharacters(in: .newlines)
    guard text.utf8.count == Self.digits, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
    else {
      throw error("it has no token: \(Self.digits) digits are expected", remedy: "delete it, or name another one")
    }
    return text
  }

  private func error(_ problem: String, remedy: String) -> TokenFileError {
    TokenFileError(path: path, problem: problem, remedy: remedy)
  }

  private static func reason(_ failure: FileFailure) -> String { String(cString: strerror(failure.code)) }
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
