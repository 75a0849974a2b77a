#if PostgreSQL
  import CoreData
  import Foundation

  /// Translates the right side of MATCHES: letters, sets, groups, alternatives and repetitions, which are
  /// the same languages in both kinds of regular expressions when each set is spelled out.
  struct PostgreSQLExpression {
    private let codes: [Unicode.Scalar]
    private var place = 0
    private var result = ""
    /// True when something in the group so far is repeated by numbers, and therefore copied as often.
    private var hasNumbers = false

    private init(_ pattern: String) { codes = Array(pattern.unicodeScalars) }

    /// The regular expression that a text has to match; `nil` when there may be none with the same meaning.
    static func translation(of pattern: String) -> String? {
      var translation = Self(pattern)
      guard translation.takeAlternatives(isOutermost: true), translation.next == nil else { return nil }
      return "^(?:\(translation.result))$"
    }

    // MARK: - Parts

    private var next: Unicode.Scalar? { place < codes.count ? codes[place] : nil }

    private mutating func takes(_ code: Unicode.Scalar) -> Bool {
      guard next == code else { return false }
      place += 1
      return true
    }

    /// - Returns: false for an expression without a translation, as the other functions do.
    private mutating func takeAlternatives(isOutermost: Bool) -> Bool {
      repeat {
        // The whole text has to match, so anchors at the ends of the outermost alternatives have no effect.
        if isOutermost { _ = takes("^") }
        while let code = next, code != "|", code != ")" {
          if code == "$", isOutermost, place + 1 == codes.count || codes[place + 1] == "|" {
            place += 1
          } else if !takeRepetition() {
            return false
          }
        }
        if next == "|" { result += "|" }
      } while takes("|")
      return true
    }

    private mutating func takeRepetition() -> Bool {
      let hadNumbers = hasNumbers
      defer { hasNumbers = hasNumbers || hadNumbers }
      hasNumbers = false
      let isGroup = next == "("
      guard takeAtom() else { return false }
      switch next {
      case "*", "+", "?":
        result.unicodeScalars.append(codes[place])
        place += 1
      case "{":
        guard !hasNumbers, takeNumbers() else { return false }
        hasNumbers = true
      default: return true
      }
      // A lazy quantifier does not change whether a text matches, except after a group that can match the empty text.
      if takes("?"), isGroup { return false }
      return next.map { !"*+?{".unicodeScalars.contains($0) } ?? true
    }

    private mutating func takeNumbers() -> Bool {
      guard let end = codes[place...].firstIndex(of: "}") else { return false }
      let numbers = String(String.UnicodeScalarView(codes[place...end]))
      guard let match = numbers.wholeMatch(of: /\{([0-9]{1,3})(?:,([0-9]{0,3}))?\}/) else { return false }
      let bounds = [match.1, match.2 ?? ""].compactMap { Int($0) }
      guard bounds == bounds.sorted(), bounds.allSatisfy({ $0 <= 255 }) else { return false }
      result += numbers
      place = end + 1
      return true
    }

    private mutating func takeAtom() -> Bool {
      guard let code = next else { return false }
      place += 1
      switch code {
      case "(":
        if takes("?"), !takes(":") { return false }
        result += "(?:"
        guard takeAlternatives(isOutermost: false), takes(")") else { return false }
        result += ")"
      case "[": return takeSet()
      case ".": result += "[^\\u000a-\\u000d\\u0085\\u2028\\u2029]"
      case "\\":
        if let name = next, let members = Self.classes[String(name).lowercased()] {
          place += 1
          result += "\(name.properties.isUppercase ? "[^" : "[")\(members)]"
        } else {
          guard let literal = takeEscaped() else { return false }
          result += PostgreSQLPattern.escaped(literal)
        }
      case "^", "$", "*", "+", "?", "{", "}", "]": return false
      default: result += PostgreSQLPattern.escaped(code)
      }
      return true
    }

    // MARK: - Sets

    private mutating func takeSet() -> Bool {
      result += takes("^") ? "[^" : "["
      let start = place
      while let code = next, code != "]" {
        if code == "\\", place + 1 < codes.count, let members = Self.classes[String(codes[place + 1])] {
          place += 2
          result += members
          if next == "-" { return false }
          continue
        }
        let isDash = code == "-"
        guard !isDash || place == start || isLast(place), let first = takeMember() else { return false }
        result += PostgreSQLPattern.escaped(first)
        guard next == "-", !isLast(place) else { continue }
        place += 1
        guard !isDash, next != "-", let last = takeMember(), first.value <= last.value else { return false }
        result += "-\(PostgreSQLPattern.escaped(last))"
      }
      guard place > start else { return false }
      result += "]"
      return takes("]")
    }

    /// Returns true when the set ends after a place.
    private func isLast(_ place: Int) -> Bool { place + 1 < codes.count && codes[place + 1] == "]" }

    private mutating func takeMember() -> Unicode.Scalar? {
      guard let code = next else { return nil }
      place += 1
      return switch code {
      case "\\": takeEscaped()
      case "[", "]", "^", "&", "{", "}", "$", ":": nil
      default: code
      }
    }

    private mutating func takeEscaped() -> Unicode.Scalar? {
      guard let code = next else { return nil }
      place += 1
      switch code {
      case "t": return "\t"
      case "n": return "\n"
      case "r": return "\r"
      case "f": return "\u{C}"
      case "!"..."/", ":"..."@", "["..."`", "{"..."~": return code
      default: return nil
      }
    }

    /// The codes of `\d`, `\s` and `\w`, as memory's regular expressions have them.
    private static let classes: [String: String] = {
      let all = (UInt32(1)...0x10FFFF).compactMap(Unicode.Scalar.init)
      let text = String(String.UnicodeScalarView(all))
      var classes: [String: String] = [:]
      for name in ["d", "s", "w"] {
        guard let expression = try? NSRegularExpression(pattern: "\\\(name)+") else { continue }
        let found = expression.matches(in: text, range: NSRange(location: 0, length: text.utf16.count))
        let ranges = found.compactMap { match -> String? in
          let codes = (text as NSString).substring(with: match.range).unicodeScalars
          guard let first = codes.first, let last = codes.last else { return nil }
          return "\(PostgreSQLPattern.escaped(first))-\(PostgreSQLPattern.escaped(last))"
        }
        classes[name] = ranges.joined()
      }
      return classes
    }()
  }
#endif
