import Foundation
import Seeding

/// A request for a file, and the answers that are taken.
struct SeedRequest: Sendable {
  private(set) var place: RemotePlace
  let largestSize: Int

  /// The version of the seed that is not wanted again.
  var known: SeedOrigin?

  /// The content types that are taken; nil for all.
  var contentTypes: Set<String>?

  /// Further fields of the header, which are for the server of the place alone: they may be secret.
  var fields: [(String, String)] = []

  /// True when the server may compress what it sends.
  var acceptsCompression = true

  /// True when a redirect to another server is refused.
  var staysWithServer = false

  /// True when the answer is verified, wherever it comes from.
  var isVerified = false

  /// The same request for the target of a redirect. Another server does not receive the additional
  /// fields, and neither does any server after it.
  func redirected(to place: RemotePlace) -> SeedRequest {
    var request = self
    if !place.hasOrigin(of: self.place) { request.fields = [] }
    request.place = place
    return request
  }
}

/// A server says that what is asked for is elsewhere.
struct Redirection: Error {
  let url: URL
}

/// The answer of a server.
enum SeedAnswer: Sendable {
  /// There is no other version than the known one.
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
