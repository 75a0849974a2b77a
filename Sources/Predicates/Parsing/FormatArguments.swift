import Foundation

/// The arguments of a format, taken one after the other.
struct FormatArguments {
  private let values: [Any?]
  private var nextIndex = 0

  init(_ values: [Any?]) { self.values = values }

  /// The key path for `%K`: text, or a Swift key path whose names can be found.
  mutating func keyPath(at token: FormatToken, in lexer: FormatLexer) throws(PredicateFormatError) -> String {
    let value = try consume("%K", at: token, in: lexer)
    switch value {
    case let text as String where !text.isEmpty: return text
    case let keyPath as AnyKeyPath:
      if let name = KeyPathNames.name(of: keyPath) { return name }
      throw lexer.error(
        "The names of the key path \(keyPath) cannot be found",
        at: token.start,
        expected: "the key path as text"
      )
    default: throw mismatch("%K", value, at: token, in: lexer, expected: "a key path as text")
    }
  }

  /// The expression for any other specifier.
  mutating func expression(
    _ specifier: FormatSpecifier,
    at token: FormatToken,
    in lexer: FormatLexer
  ) throws(PredicateFormatError) -> NSExpression {
    let name = String(decoding: lexer.bytes[token.start..<token.end], as: UTF8.self)
    let value = try consume(name, at: token, in: lexer)
    // A cast of a text to a class would bridge it first.
    if let object = value, type(of: object) is AnyClass, let expression = object as? NSExpression { return expression }
    switch specifier {
    case .value, .keyPath: return NSExpression(forConstantValue: value)
    case .integer:
      guard let number = value.flatMap(NumberValue.init(any:))?.truncated else {
        throw mismatch(name, value, at: token, in: lexer, expected: "a number")
      }
      return NSExpression(forConstantValue: number)
    case .floatingPoint:
      guard let number = value.flatMap(NumberValue.init(any:)) else {
        throw mismatch(name, value, at: token, in: lexer, expected: "a number")
      }
      return NSExpression(forConstantValue: number.double)
    case .text:
      guard let value, let text = Self.text(value) else {
        throw mismatch(name, value, at: token, in: lexer, expected: "text")
      }
      return NSExpression(forConstantValue: text)
    case .character:
      if let text = value.flatMap(Self.text), text.count == 1 { return NSExpression(forConstantValue: text) }
      guard case .integer(let code)? = value.flatMap(NumberValue.init(any:)) else {
        throw mismatch(name, value, at: token, in: lexer, expected: "a character")
      }
      return NSExpression(forConstantValue: Int(code))
    }
  }

  private static func text(_ value: Any) -> String? {
    switch value {
    case let text as String: text
    case let character as Character: String(character)
    case let scalar as UnicodeScalar: String(scalar)
    case let text as Substring: String(text)
    default: nil
    }
  }

  private mutating func consume(
    _ name: String,
    at token: FormatToken,
    in lexer: FormatLexer
  ) throws(PredicateFormatError) -> Any? {
    guard nextIndex < values.count else {
      throw lexer.error(
        "There are \(values.count) arguments, too few for \(name)",
        at: token.start,
        expected: "an argument for each specifier"
      )
    }
    defer { nextIndex += 1 }
    return unwrapped(values[nextIndex])
  }

  private func mismatch(
    _ name: String,
    _ value: Any?,
    at token: FormatToken,
    in lexer: FormatLexer,
    expected: String
  ) -> PredicateFormatError {
    let found = value.map { "of the type \(type(of: $0))" } ?? "nil"
    return lexer.error("Argument \(nextIndex) for \(name) is \(found)", at: token.start, expected: expected)
  }
}
