/// Who may see a declaration, from the fewest on.
enum AccessLevel: Int, Comparable, Hashable, Sendable {
  case `private`, `fileprivate`, `internal`, package, `public`, open

  init?(word: String) {
    switch word {
    case "private": self = .private
    case "fileprivate": self = .fileprivate
    case "internal": self = .internal
    case "package": self = .package
    case "public": self = .public
    case "open": self = .open
    default: return nil
    }
  }

  static func < (one: AccessLevel, other: AccessLevel) -> Bool { one.rawValue < other.rawValue }

  /// Whether one file alone sees the declaration.
  var isPrivate: Bool { self <= .fileprivate }
}
