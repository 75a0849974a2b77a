import Foundation

/// The URL of a server for messages, without any part that may belong to a password.
///
/// A URL in which the password cannot be located, as in `user:p@ss/word@host`, is left out as a whole.
struct ServerURL {
  /// The URL without secrets.
  let shown: String
  /// True when it has a password after the user's name or among its parameters.
  let hasPassword: Bool
  /// True when every part of the URL can be located without doubt.
  let isPlain: Bool

  init(_ url: String) {
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let (rest, query) = Self.halves(of: url[start...], mark: "?")
    let (authority, path) = Self.halves(of: rest, mark: "/")
    let (first, second) = Self.halves(of: authority, mark: "@")
    let hosts = second ?? first
    let (user, secret) = Self.halves(of: second == nil ? "" : first, mark: ":")
    let names = [path, query, secret, hosts].compactMap(\.self)
    isPlain =
      !url.utf8.contains(UInt8(ascii: "#")) && !names.contains { $0.utf8.contains(UInt8(ascii: "@")) }
      && secret?.contains(":") != true && Self.areHosts(hosts)
    guard isPlain else {
      (shown, hasPassword) = ("\(url[..<start])…", false)
      return
    }
    let parameters = query?.split(separator: "&", omittingEmptySubsequences: false).map(Parameter.init)
    shown =
      "\(url[..<start])\(second == nil ? "" : "\(user)@")\(hosts)" + (path.map { "/\($0)" } ?? "")
      + (parameters.map { "?" + $0.map(\.shown).joined(separator: "&") } ?? "")
    hasPassword = secret?.isEmpty == false || parameters?.contains(where: \.isSecret) == true
  }

  /// Splits a text at the first occurrence of a character; the second part is `nil` if there is none.
  private static func halves(of text: Substring, mark: Character) -> (Substring, Substring?) {
    guard let index = text.firstIndex(of: mark) else { return (text, nil) }
    return (text[..<index], text[text.index(after: index)...])
  }

  /// True for a list of host names or addresses whose ports are numbers.
  private static func areHosts(_ text: Substring) -> Bool {
    text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
      let end = host.first == "[" ? host.firstIndex(of: "]").map { host.index(after: $0) } : host.startIndex
      guard let end else { return false }
      let (name, port) = halves(of: host[end...], mark: ":")
      let isAddress = end > host.startIndex
      return (isAddress ? name.isEmpty : !name.contains { "[]".contains($0) })
        && (port ?? "").allSatisfy { $0.isASCII && $0.isNumber }
    }
  }

  /// A parameter of the query.
  private struct Parameter {
    let shown: String
    let isSecret: Bool

    init(_ text: Substring) {
      let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(sides[0]).removingPercentEncoding ?? ""
      let isKnown = Self.names.contains(name)
      let hasValue = sides.count == 2 && !sides[1].isEmpty
      shown =
        isKnown || !hasValue ? String(text) : "\(name.allSatisfy { $0.isASCII && $0.isLetter } ? name : "")=…"
      isSecret = hasValue && ["password", "passwd"].contains { name.lowercased().contains($0) }
    }

    /// The parameters whose values are public: those of this package, and the usual ones of libpq.
    private static let names: Set = [
      "schema", "without", "host", "hostaddr", "port", "dbname", "user", "service", "servicefile", "passfile",
      "application_name", "fallback_application_name", "client_encoding", "options", "connect_timeout",
      "target_session_attrs", "load_balance_hosts", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl",
      "sslcrldir", "sslsni", "sslnegotiation", "sslcompression", "ssl_min_protocol_version",
      "ssl_max_protocol_version", "channel_binding", "require_auth", "gssencmode", "krbsrvname", "gsslib",
      "gssdelegation", "tcp_user_timeout", "keepalives", "keepalives_idle", "keepalives_interval",
      "keepalives_count", "requirepeer", "replication", "min_protocol_version", "max_protocol_version",
    ]
  }
}
