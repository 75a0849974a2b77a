import Foundation

/// One word, sign or literal of a predicate format, with the place where it begins and ends in the
/// format's UTF-8 bytes.
package struct FormatToken {
  package enum Kind: Equatable {
    case end
    /// A name; a colon in it makes it a function's name.
    case identifier(String)
    /// A reserved word, and how it was written.
    case keyword(FormatKeyword, String)
    /// `$name`, without the dollar sign.
    case variable(String)
    case integer(Int64)
    case unsigned(UInt64)
    indirect case decimal(Decimal)
    case double(Double)
    case string(String)
    case argument(FormatSpecifier)
    case sign(FormatSign)
  }

  package var kind: Kind
  package var start: Int
  package var end: Int
}

/// The reserved words of the format language, which a key has to escape with `#`.
package enum FormatKeyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"
  case `in` = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case null = "NULL"
  case `nil` = "NIL"
  case selfObject = "SELF"
  case yes = "YES"
  case no = "NO"
  case `true` = "TRUE"
  case `false` = "FALSE"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case anyKey = "ANYKEY"
  case subquery = "SUBQUERY"
  case cast = "CAST"
  case ternary = "TERNARY"
  case function = "FUNCTION"
  case fetch = "FETCH"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"

  static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The keyword for a word, in upper or lower case.
  package static func named(_ word: String) -> FormatKeyword? {
    guard word.utf8.count <= 14 else { return nil }
    return byName[word.uppercased()]
  }

  /// Words that mean something only in one place, and are names everywhere else.
  package var isContextual: Bool {
    switch self {
    case .first, .last, .size, .subquery, .cast, .ternary, .function, .fetch, .union, .intersect, .minus: true
    default: false
    }
  }
}

/// The signs of the format language.
package enum FormatSign: String {
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case leftBrace = "{"
  case rightBrace = "}"
  case leftBracket = "["
  case rightBracket = "]"
  case comma = ","
  case dot = "."
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case power = "**"
  case bitAnd = "&"
  case bitOr = "|"
  case bitXor = "^"
  case bitNot = "~"
  case shiftLeft = "<<"
  case shiftRight = ">>"
  case and = "&&"
  case or = "||"
  case not = "!"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// The kind of argument that a `%` in the format takes.
package enum FormatSpecifier: Equatable {
  /// `%@`: any value, expression or predicate.
  case value
  /// `%K`: a key path.
  case keyPath
  /// `%d` and its kin.
  case integer
  /// `%f` and its kin.
  case floatingPoint
  /// `%s`: text.
  case text
  /// `%c`: one character.
  case character
}
