#if PostgreSQL
  import CoreData
  import Predicates

  /// The right sides of LIKE, in PostgreSQL's languages of patterns.
  enum PostgreSQLPattern {
    /// The pattern for LIKE; `nil` for a pattern with `?`, which also matches the marks after a character.
    static func plain(_ pattern: String, options: TextOptions) -> String? {
      var result = ""
      for part in parts(of: pattern, options: options) {
        switch part {
        case .one: return nil
        case .any: result += "%"
        case .code(let code):
          if code == "\\" || code == "%" || code == "_" { result += "\\" }
          result.unicodeScalars.append(code)
        }
      }
      return result
    }

    /// The regular expression that the folded result of `perennial_characters` has to match; `nil` for a
    /// pattern with control characters that have another meaning there.
    static func expression(_ pattern: String, options: TextOptions) -> String? {
      if pattern.unicodeScalars.contains(where: { $0 == "\u{1}" || $0 == "\u{2}" }) { return nil }
      let parts = parts(of: pattern, options: options).map { part in
        switch part {
        // A code, and all codes up to the beginning of the next character.
        case .one: "\\u0001?[^\\u0001]+(?![^\\u0001])"
        case .any: ".*"
        case .code(let code): "\\u0001?\(escaped(code))"
        }
      }
      return "^(?:\(parts.joined()))$"
    }

    /// A code in a regular expression, in brackets or not.
    static func escaped(_ code: Unicode.Scalar) -> String {
      if code.isASCII, code.properties.isAlphabetic || code.properties.numericType != nil { return String(code) }
      let digits = String(code.value, radix: 16)
      let count = code.value > 0xFFFF ? 8 : 4
      return (count == 8 ? "\\U" : "\\u") + String(repeating: "0", count: count - digits.count) + digits
    }

    private enum Part: Equatable {
      case code(Unicode.Scalar)
      /// `?`
      case one
      /// `*`
      case any
    }

    private static func parts(of pattern: String, options: TextOptions) -> [Part] {
      var parts: [Part] = []
      var literal = String.UnicodeScalarView()
      var isEscaped = false
      func endLiteral() {
        parts += options.folded(String(literal)).unicodeScalars.map(Part.code)
        literal = String.UnicodeScalarView()
      }
      for code in pattern.unicodeScalars {
        switch code {
        case "\\" where !isEscaped: isEscaped = true
        case "?" where !isEscaped, "*" where !isEscaped:
          endLiteral()
          if code == "?" || parts.last != .any { parts.append(code == "?" ? .one : .any) }
        default:
          literal.append(code)
          isEscaped = false
        }
      }
      // A backslash at the end is a literal one.
      if isEscaped { literal.append("\\") }
      endLiteral()
      return parts
    }
  }
#endif
