import Foundation
import Seeding

/// A URL that is asked, and how errors name it.
struct RemoteLocation: Sendable {
  let url: URL
  private let shown: String?

  /// - Parameter shown: The name by which errors call a file of this machine; without it they have the text of the URL.
  init(_ url: URL, shownAs shown: String? = nil) {
    self.url = url
    self.shown = shown
  }

  /// The URL without parts that may be secret, or the path of a file.
  var text: String {
    if let shown { return shown }
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "the URL" }
    parts.user = nil
    parts.password = nil
    parts.query = nil
    parts.fragment = nil
    return parts.string ?? "the URL"
  }

  var position: SeedPosition { SeedPosition(file: text) }

  /// The URL with a suffix after its path.
  func appending(_ ending: String) -> RemoteLocation? {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    parts?.path += ending
    return parts?.url.map { RemoteLocation($0, shownAs: shown.map { $0 + ending }) }
  }

  /// A file in the folder that contains the URL's file, or below it. The URL has no query, because
  /// the seed's query may be its own signature.
  func sibling(_ components: [String]) -> RemoteLocation? {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
    let path = parts.percentEncodedPath
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    let names = components.compactMap { $0.addingPercentEncoding(withAllowedCharacters: Self.unreserved) }
    guard names.count == components.count else { return nil }
    parts.percentEncodedPath = folder + names.joined(separator: "/")
    parts.query = nil
    parts.fragment = nil
    return parts.url.map { RemoteLocation($0) }
  }

  /// The characters that never have to be escaped by RFC 3986.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  )

  /// Checks that the URL can be requested, and that no third party on the network path could change its answer.
  ///
  /// - Throws: A `SeedError` for a URL that cannot be requested, and for a URL whose answer a third
  ///   party on the network path could change.
  func check(isVerified: Bool) throws(SeedError) {
    guard ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false else {
      throw SeedError(
        code: .notFetched,
        at: position,
        problem: "a remote seed is fetched over http or https",
        remedy: "give a URL such as https://example.com/seed.json, or a file"
      )
    }
    guard isVerified || isProtected else { throw Self.unprotected(at: position) }
  }

  /// True if only the server can have written the answer.
  var isProtected: Bool {
    url.scheme?.lowercased() == "https"
      || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(url.host?.lowercased())
  }

  /// True if the answer comes from this machine and nothing else protects it, so that a proxy could change it.
  var isPlainAndLocal: Bool { url.scheme?.lowercased() == "http" && isProtected }

  /// The URL as libcurl gets it, without its fragment.
  ///
  /// - Throws: A `SeedError` for a host that libcurl may read in another way than Foundation, whose
  ///   reading was checked.
  func requestText() throws(SeedError) -> String {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    parts?.fragment = nil
    guard let text = parts?.string, let host = parts?.encodedHost, Self.isPlain(host) else {
      throw SeedError(
        code: .notFetched,
        at: position,
        problem: "the URL names no host that can be asked",
        remedy: "give a name of ASCII letters, digits, dots and hyphens, or an address"
      )
    }
    return text
  }

  /// Returns true for a name or an address without escapes.
  private static func isPlain(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return host.dropFirst().dropLast().utf8.allSatisfy { addressBytes.contains($0) }
    }
    return !host.isEmpty && host.utf8.allSatisfy { nameBytes.contains($0) }
  }

  private static let nameBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._".utf8)

  /// An IPv6 address, optionally with a percent sign and the name of an interface.
  private static let addressBytes = nameBytes.union(":%".utf8)

  /// Returns true if two URLs have the same scheme, host and port, so that both may receive the same request.
  func hasOrigin(of other: RemoteLocation) -> Bool { origin != nil && origin == other.origin }

  private var origin: [String]? {
    guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty else { return nil }
    return [scheme, host, String(url.port ?? (scheme == "https" ? 443 : 80))]
  }

  static func unprotected(at position: SeedPosition) -> SeedError {
    SeedError(
      code: .notVerified,
      at: position,
      problem: "what comes over http can be changed by anybody on the way",
      remedy: "use https, or give the seed's checksum or signature"
    )
  }
}
