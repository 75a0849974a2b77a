import Foundation

/// The secrets by which the server recognizes the person who started it: the token in the printed address, and the
/// path and value of the cookie that the browser receives for it.
///
/// A browser does not distinguish the ports of a host when it sends a cookie. It distinguishes paths. All pages are
/// below a random path, so that a server on another port does not get the cookie without knowing that path. The value
/// of the cookie is not the token, so that such a server could not learn the printed address either.
struct SessionToken: Sendable {
  /// 32 hexadecimal digits, from 128 random bits.
  let text: String
  /// The value of the cookie: another 32 hexadecimal digits, from 128 random bits.
  let cookieValue = Self.randomDigits()
  /// The path of the pages, without a slash at its end, with 128 random bits. It is another one at each start.
  let base: String

  init() { self.init(Self.randomDigits()) }

  private static func randomDigits() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }

  init(_ text: String) { self.init(text, base: Self.baseStart + Self.randomDigits()) }

  /// - Parameter base: the path of the pages, without a slash at its end; empty for the root.
  init(_ text: String, base: String) {
    self.text = text
    self.base = base
  }

  private static let baseStart = "/s/"
  static let pathStart = "/open/"

  /// The path of the page that sets the cookie.
  var path: String { Self.pathStart + text }

  /// The cookie. All ports of a host share its cookies, so each server's cookie has a name of its own.
  var cookie: String { "\(cookieName)=\(cookieValue); Path=\(base.isEmpty ? "/" : base); HttpOnly; SameSite=Strict" }

  private var cookieName: String { "perennial-\(fingerprint)" }

  /// A hash that distinguishes servers without revealing the secret.
  private var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in cookieValue.utf8.prefix(8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return String(hash & 0xFFFF, radix: 16)
  }

  /// Returns true for the path of the page that sets the cookie.
  func opens(_ path: String) -> Bool {
    path.hasPrefix(Self.pathStart) && isEqual(String(path.dropFirst(Self.pathStart.count)))
  }

  /// Returns a path below the path of the pages; `nil` for a path of no page.
  func pagePath(_ path: String) -> String? {
    guard path.hasPrefix(base) else { return nil }
    let rest = path.dropFirst(base.count)
    if rest.isEmpty { return "/" }
    return rest.hasPrefix("/") ? String(rest) : nil
  }

  /// Returns true when a request's cookies contain this cookie.
  func isAmong(_ cookies: String) -> Bool {
    cookies.split(separator: ";").contains { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return false }
      return parts[0].trimmingCharacters(in: .whitespaces) == cookieName
        && Self.areEqual(cookieValue, other: parts[1].trimmingCharacters(in: .whitespaces))
    }
  }

  /// Compares the token in constant time, independent of where the texts differ.
  func isEqual(_ other: String) -> Bool { Self.areEqual(text, other: other) }

  private static func areEqual(_ text: String, other: String) -> Bool {
    let (one, other) = (Array(text.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
