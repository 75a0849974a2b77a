import Foundation

/// Links with the token, which lead another person to one page.
struct PageLinks: Sendable {
  /// The path of the page that accepts the token.
  let opening: String
  /// True when the token stays the same after a restart.
  let isLasting: Bool

  /// The name of the item that contains a link's target.
  static let itemName = "then"
  private static let longest = 8_000

  /// Returns the path of a link to a page.
  func path(to target: String) -> String { opening + PageAddress.query([(Self.itemName, target)]) }

  /// Returns the target if it is a page of this browser, or else the first page.
  func checked(_ target: String, below base: String) -> String {
    Self.isPage(target) && target.hasPrefix(base + "/") ? target : base + "/"
  }

  /// Returns true for a path on this server, with or without a query. Other texts are rejected, because browsers
  /// read a text such as `//host` or `/\host` as another server.
  static func isPage(_ target: String) -> Bool {
    let bytes = Array(target.utf8)
    guard bytes.count <= longest, bytes.first == UInt8(ascii: "/") else { return false }
    if bytes.count > 1, bytes[1] == UInt8(ascii: "/") || bytes[1] == UInt8(ascii: "\\") { return false }
    let others = Set("/?&=%-._~+#:@!$,*".utf8)
    return bytes.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || others.contains(byte)
    }
  }
}
