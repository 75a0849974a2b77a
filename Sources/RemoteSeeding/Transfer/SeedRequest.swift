import Foundation
import Seeding

/// A request for a file, and the answers that are accepted.
struct SeedRequest: Sendable {
  private(set) var place: RemoteLocation
  let largestSize: Int

  /// The version of the seed that is not wanted again.
  var known: SeedOrigin?

  /// The accepted content types; nil for all.
  var contentTypes: Set<String>?

  /// Further fields of the header, which are for the server of the place alone: they may be secret.
  var fields: [(String, String)] = []

  /// True if the server may compress its answer.
  var acceptsCompression = true

  /// True when a redirect to another server is refused.
  var staysWithServer = false

  /// True if the answer is verified, whatever its origin.
  var isVerified = false

  /// The same request for the target of a redirect. Another server does not receive the additional
  /// fields, and neither does any server after it.
  func redirected(to place: RemoteLocation) -> SeedRequest {
    var request = self
    if !place.hasOrigin(of: self.place) { request.fields = [] }
    request.place = place
    return request
  }
}

/// A server's answer that the file is at another URL.
struct Redirection: Error {
  let url: URL
}

/// The answer of a server.
enum SeedAnswer: Sendable {
  /// The known version is current.
  case notModified
  case content(SeedContent)
}

/// The contents that were written into a file.
struct SeedContent: Sendable {
  /// SHA-256, in hexadecimal.
  let hash: String
  let type: String?
  let entityTag: String?
  let lastModified: String?
}

/// Bytes as hexadecimal digits, and back.
enum HexadecimalText {
  static func of(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Nil when the text is anything else than pairs of digits.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: Int?
    for character in text {
      guard let digit = character.hexDigitValue else { return nil }
      if let first = high {
        bytes.append(UInt8(first << 4 | digit))
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }
}
