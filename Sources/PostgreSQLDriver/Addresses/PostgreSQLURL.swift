#if PostgreSQL
  import CPostgreSQL

  /// Splits a URL into libpq's parameters and Perennial's own.
  struct PostgreSQLURL {
    /// The name of the schema; `nil` if the URL does not contain one.
    let schema: String?
    /// What is not to be used of the server, as `without=` names it, with commas between the names.
    let unused: [String]
    /// The URL without Perennial's own parameters.
    private let url: String

    private static let schemes = ["postgresql://", "postgres://"]
    private static let mostSchemaBytes = 63
    /// The parameters that libpq does not know.
    private static let ownKeys: Set = ["schema", "without"]
    private static let secrets: Set = ["password", "sslpassword", "oauth_client_secret"]

    init(_ text: String) throws {
      if text.utf8.contains(0) {
        throw PostgreSQLAddressError("The URL has a character U+0000.", remedy: "Remove it.")
      }
      guard let scheme = Self.schemes.first(where: { text.hasPrefix($0) }) else {
        throw PostgreSQLAddressError(
          "The URL does not begin with postgresql:// or postgres://.",
          remedy: "Write it as postgresql://user@host:5432/database."
        )
      }
      let rest = text.dropFirst(scheme.count)
      // As in libpq, the part before an @ is the user, which may contain any character except a slash.
      let mark = rest.firstIndex { $0 == "@" || $0 == "/" }
      let user = mark.flatMap { rest[$0] == "@" ? rest[..<$0] : nil } ?? rest.prefix(0)
      if let colon = user.firstIndex(of: ":"), user.index(after: colon) < user.endIndex {
        throw Self.hasPassword
      }
      // The part before a later @ may be the rest of a password that contains an @, a slash or a question mark.
      let hasUser = mark.map { rest[$0] == "@" } ?? false
      let afterUser = rest[user.endIndex...].utf8.dropFirst(hasUser ? 1 : 0)
      if afterUser.contains(UInt8(ascii: "@")) { throw Self.hasLaterMark }
      let query = rest[user.endIndex...].firstIndex(of: "?") ?? rest.endIndex
      let (own, others) = try Self.ours(rest[query...].dropFirst())
      schema = try own["schema"].map(Self.checkedSchema)
      unused = own["without"]?.split(separator: ",").map(String.init) ?? []
      url = scheme + rest[..<query] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    }

    /// Libpq's parameters by their key words.
    func parameters() throws -> [String: String] {
      var message: UnsafeMutablePointer<CChar>?
      guard let options = PQconninfoParse(url, &message) else {
        defer { PQfreemem(message) }
        throw Self.isRefused(message.map { String(cString: $0) } ?? "")
      }
      defer { PQconninfoFree(options) }
      var parameters = Self.values(of: options)
      for key in Self.secrets where parameters.removeValue(forKey: key)?.isEmpty == false {
        throw Self.hasPassword
      }
      // A wrong text here may be a part of a password.
      for port in (parameters["port"] ?? "").split(separator: ",") where UInt16(port).map({ $0 > 0 }) != true {
        throw PostgreSQLAddressError(
          "The URL has a port that is not a number from 1 to 65535.",
          remedy:
            "Write it as postgresql://user@host:5432/database, with characters such as / as %2F in names."
        )
      }
      return parameters
    }

    /// The values that are set in a list of libpq's.
    static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
      var values: [String: String] = [:]
      var option = options
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
        option += 1
      }
      return values
    }

    /// Separates Perennial's parameters from the others.
    private static func ours(_ query: Substring) throws -> (own: [String: String], others: [Substring]) {
      var own: [String: String] = [:]
      var others: [Substring] = []
      for part in query.split(separator: "&") {
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let key = try decoded(sides[0])
        if isSecret(key), sides.count == 2, !sides[1].isEmpty { throw hasPassword }
        guard ownKeys.contains(key) else {
          others.append(part)
          continue
        }
        if own[key] != nil {
          throw PostgreSQLAddressError("The URL has \(key)= twice.", remedy: "Leave one of them out.")
        }
        own[key] = sides.count == 2 ? try decoded(sides[1]) : ""
      }
      return (own, others)
    }

    private static func checkedSchema(_ name: String) throws -> String {
      if name.isEmpty {
        throw PostgreSQLAddressError(
          "The name of the schema is empty.",
          remedy: "Give one, as ?schema=name, or leave the parameter out."
        )
      }
      if name.utf8.count > mostSchemaBytes {
        throw PostgreSQLAddressError(
          "The name of the schema has \(name.utf8.count) bytes, and PostgreSQL keeps \(mostSchemaBytes).",
          remedy: "Give a shorter one."
        )
      }
      return name
    }

    private static func decoded(_ text: Substring) throws -> String {
      let malformed = PostgreSQLAddressError(
        "The URL has a percent sign that does not begin a character's code, or codes that are not UTF-8.",
        remedy: "Write a percent sign as %25."
      )
      var bytes: [UInt8] = []
      var rest = text.utf8[...]
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
          bytes.append(byte)
          continue
        }
        let digits = rest.prefix(2)
        let areHexadecimal =
          digits.count == 2 && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        guard areHexadecimal, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
          throw malformed
        }
        if value == 0 {
          throw PostgreSQLAddressError("The URL has a character U+0000, as %00.", remedy: "Remove it.")
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      }
      guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed }
      return text
    }

    /// Libpq's sentence without what it repeats of the URL.
    private static func isRefused(_ message: String) -> PostgreSQLAddressError {
      let keyword = message.firstRange(of: "invalid URI query parameter: \"").map {
        message[$0.upperBound...]
      }
      if let name = keyword?.prefix(while: { $0 != "\"" }) {
        return PostgreSQLAddressError(
          "The URL has a parameter \(name), which libpq does not know.",
          remedy: "See libpq's documentation of parameter key words."
        )
      }
      let end = message.firstIndex(of: "\"") ?? message.endIndex
      let reason = message[..<end].trimmingSuffix { ": \n".contains($0) }
      return PostgreSQLAddressError(
        "The URL is malformed\(reason.isEmpty ? "" : ": \(reason)").",
        remedy: "Write it as postgresql://user@host:5432/database?parameter=value."
      )
    }

    /// True for the name of a parameter that is a secret, however it is spelled.
    private static func isSecret(_ key: String) -> Bool {
      let key = key.lowercased()
      return secrets.contains(key) || key.contains("password") || key.contains("passwd")
    }

    private static let hasLaterMark = PostgreSQLAddressError(
      "The URL has an @ after that of its user, or one although it names no user before its first slash.",
      remedy: """
        Write an @ in a name as %40. A password does not belong into the URL: give it by the environment variable \
        PGPASSWORD, the file ~/.pgpass, a service file, or the store's option for it.
        """
    )

    private static let hasPassword = PostgreSQLAddressError(
      "The URL has a password, and URLs are shown in messages and logs.",
      remedy: """
        Leave it out, and give it by the environment variable PGPASSWORD, the file ~/.pgpass, a service file, \
        or the store's option for it.
        """
    )
  }

  extension Substring {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
      var text = self
      while let last = text.last, isTrimmed(last) { text.removeLast() }
      return text
    }
  }
#endif
