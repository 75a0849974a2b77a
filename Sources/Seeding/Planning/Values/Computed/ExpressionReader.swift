import Foundation
import Texts

/// Reads the text of an expression.
struct ExpressionReader {
  /// No real expression is longer or nested deeper, and the reader's recursion needs a bound.
  private static let longest = 10_000
  private static let deepest = 50

  private let text: String
  private let characters: [Character]
  private var offset = 0
  private var depth = 0

  init(_ text: String) {
    self.text = text
    characters = text.utf8.count <= Self.longest ? Array(text) : []
  }

  mutating func read() throws(AttributeConversion.Failure) -> SeedExpression {
    guard !characters.isEmpty else {
      throw AttributeConversion.Failure(
        problem: text.isEmpty
          ? "the expression is empty" : "the expression has more than \(Self.longest) characters",
        remedy: "give an expression such as \"firstName + ' ' + lastName\""
      )
    }
    let expression = try sum()
    guard next == nil else { throw broken("an operator or the end is expected") }
    return expression
  }

  private mutating func sum() throws(AttributeConversion.Failure) -> SeedExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw broken("it is nested more than \(Self.deepest) deep") }
    var result = try product()
    while let character = next, character == "+" || character == "-" {
      offset += 1
      result = try joined(character, one: result, other: try product())
    }
    return result
  }

  private mutating func product() throws(AttributeConversion.Failure) -> SeedExpression {
    var result = try signed()
    while let character = next, character == "*" || character == "/" {
      offset += 1
      result = try joined(character, one: result, other: try signed())
    }
    return result
  }

  /// Operations in a row are nested, too: their number is bounded, since they are evaluated by recursion.
  private var operations = 0
  private static let mostOperations = 200

  private mutating func joined(
    _ sign: Character,
    one: SeedExpression,
    other: SeedExpression
  ) throws(AttributeConversion.Failure) -> SeedExpression {
    operations += 1
    guard operations <= Self.mostOperations, let sign = SeedExpression.Operator(rawValue: sign) else {
      throw broken("it has more than \(Self.mostOperations) operations")
    }
    return .operation(sign, one, other)
  }

  private mutating func signed() throws(AttributeConversion.Failure) -> SeedExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw broken("it is nested more than \(Self.deepest) deep") }
    guard next == "-" else { return try primary() }
    offset += 1
    return .negative(try signed())
  }

  private mutating func primary() throws(AttributeConversion.Failure) -> SeedExpression {
    switch next {
    case "(":
      offset += 1
      let inner = try sum()
      try expect(")")
      return inner
    case "'", "\"": return .literal(.text(try quoted()))
    case let character? where character.isASCII && character.isNumber: return .literal(.number(try number()))
    case let character? where Self.beginsWord(character): return try named()
    default: throw broken("a key, a number, a text in quotes or \"(\" is expected")
    }
  }

  private mutating func named() throws(AttributeConversion.Failure) -> SeedExpression {
    let start = offset
    let word = self.word()
    switch word.uppercased() {
    case "NIL", "NULL": return .literal(.null)
    case "TRUE", "YES": return .literal(.bool(true))
    case "FALSE", "NO": return .literal(.bool(false))
    default: break
    }
    let hasColon = offset < characters.count && characters[offset] == ":"
    if hasColon { offset += 1 }
    guard next == "(" else {
      guard !hasColon else { throw broken("\"(\" is expected after a function's name") }
      return .key(try path(word))
    }
    offset += 1
    if word.uppercased() == "TERNARY" { return try conditional() }
    guard let function = SeedExpression.Function(rawValue: word.lowercased()) else {
      offset = start
      let all = SeedExpression.Function.allCases.map { "\($0.rawValue):" }.joined(separator: ", ")
      throw broken("there is no function \"\(word.abbreviated)\" in seeds; there are \(all) and TERNARY")
    }
    let argument = try sum()
    try expect(")")
    return .function(function, argument)
  }

  /// Reads the arguments that follow `TERNARY(`, and the closing parenthesis.
  private mutating func conditional() throws(AttributeConversion.Failure) -> SeedExpression {
    let one = try sum()
    let comparison = try comparison()
    let other = try sum()
    try expect(",")
    let then = try sum()
    try expect(",")
    let otherwise = try sum()
    try expect(")")
    return .conditional(one, comparison, other, then: then, otherwise: otherwise)
  }

  private mutating func comparison() throws(AttributeConversion.Failure) -> SeedExpression.Comparison {
    _ = next
    let spellings: [(String, SeedExpression.Comparison)] = [
      ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<=", .lessOrEqual), ("=<", .lessOrEqual),
      (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("=", .equal), ("<", .less), (">", .greater),
    ]
    for (spelling, comparison) in spellings where characters[offset...].starts(with: spelling) {
      offset += spelling.count
      return comparison
    }
    throw broken("a comparison such as == is expected")
  }

  /// The rest of a key path after its first part.
  private mutating func path(_ first: String) throws(AttributeConversion.Failure) -> [String] {
    var parts = [first]
    while offset < characters.count, characters[offset] == "." {
      offset += 1
      guard offset < characters.count, Self.beginsWord(characters[offset]) else {
        throw broken("a key is expected after the dot")
      }
      parts.append(word())
    }
    return parts
  }

  private mutating func word() -> String {
    let start = offset
    while offset < characters.count, Self.beginsWord(characters[offset]) || characters[offset].isNumber {
      offset += 1
    }
    return String(characters[start..<offset])
  }

  private static func beginsWord(_ character: Character) -> Bool { character.isLetter || character == "_" }

  private mutating func number() throws(AttributeConversion.Failure) -> Decimal {
    let start = offset
    while offset < characters.count {
      let character = characters[offset]
      let isExponentSign = (character == "-" || character == "+") && "eE".contains(characters[offset - 1])
      guard character.isASCII,
        character.isNumber || character == "." || "eE".contains(character) || isExponentSign
      else { break }
      offset += 1
    }
    let digits = String(characters[start..<offset])
    guard let number = JSONNumber.decimal(digits) else {
      offset = start
      throw broken("\"\(digits.abbreviated)\" is not a number of at most 38 digits")
    }
    return number
  }

  private mutating func quoted() throws(AttributeConversion.Failure) -> String {
    let start = offset
    let quote = characters[offset]
    offset += 1
    var text = ""
    while offset < characters.count {
      let character = characters[offset]
      offset += 1
      if character == quote { return text }
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard offset < characters.count, let escaped = Self.escapes[characters[offset]] else {
        throw broken("a backslash is followed by none of ' \" \\ n t")
      }
      text.append(escaped)
      offset += 1
    }
    offset = start
    throw broken("a text has no closing quote")
  }

  private static let escapes: [Character: Character] = [
    "'": "'", "\"": "\"", "\\": "\\", "n": "\n", "t": "\t",
  ]

  /// The character at the cursor once blanks are passed, nil at the end.
  private var next: Character? {
    mutating get {
      while offset < characters.count, characters[offset].isWhitespace { offset += 1 }
      return offset < characters.count ? characters[offset] : nil
    }
  }

  private mutating func expect(_ character: Character) throws(AttributeConversion.Failure) {
    guard next == character else { throw broken("\"\(character)\" is expected") }
    offset += 1
  }

  private func broken(_ problem: String) -> AttributeConversion.Failure {
    AttributeConversion.Failure(
      problem: "the expression \"\(text.abbreviated)\" is broken at character \(offset + 1): \(problem)",
      remedy: "correct the expression"
    )
  }
}
