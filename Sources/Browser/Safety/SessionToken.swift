import Foundation

/// The secrets by which the server knows the person who started it: the token in the address that is
/// printed, and the value of the cookie that a browser gets for it.
///
/// A browser sends the cookie to servers on other ports of the same host too. Its value is not the token,
/// so that such a server cannot learn the printed address.
struct SessionToken: Sendable {
  /// 32 digits, of 128 random bits.
  let text: String
  /// The value of the cookie: 32 other digits, of 128 random bits.
  let cookieValue = Self.randomDigits()

  init() { text = Self.randomDigits() }

  private static func randomDigits() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }

  init(_ text: String) { self.text = text }

  static let pathStart = "/open/"

  /// The path of the page that gives the cookie.
  var path: String { Self.pathStart + text }

  /// The cookie. Cookies of one host are shared by all of its ports, so that each server's has a name
  /// of its own.
  var cookie: String { "\(cookieName)=\(cookieValue); Path=/; HttpOnly; SameSite=Strict" }

  private var cookieName: String { "perennial-\(fingerprint)" }

  /// Tells servers apart without telling the secret.
  private var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in cookieValue.utf8.prefix(8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return String(hash & 0xFFFF, radix: 16)
  }

  /// True when a path is that of the page which gives the cookie.
  func opens(_ path: String) -> Bool {
    path.hasPrefix(Self.pathStart) && isEqual(String(path.dropFirst(Self.pathStart.count)))
  }

  /// True when the cookie is among those of a request.
  func isAmong(_ cookies: String) -> Bool {
    cookies.split(separator: ";").contains { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return false }
      return parts[0].trimmingCharacters(in: .whitespaces) == cookieName
        && Self.areEqual(cookieValue, other: parts[1].trimmingCharacters(in: .whitespaces))
    }
  }

  /// Compares the token in a time that does not depend on where the texts differ.
  func isEqual(_ other: String) -> Bool { Self.areEqual(text, other: other) }

  private static func areEqual(_ text: String, other: String) -> Bool {
    let (one, other) = (Array(text.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
