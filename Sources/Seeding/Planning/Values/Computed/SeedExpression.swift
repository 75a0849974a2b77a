import Foundation
import Texts

/// An expression over the keys of a record: `firstName + ' ' + lastName`, `price * 1.21`,
/// `uppercase:(code)`, `TERNARY(nick == nil, name, nick)`.
///
/// The language is a part of the format language of `NSExpression`, in which `+` joins texts too.
/// It has its own parser and evaluation, so that a seed can use only the record's own values, and
/// no functions of a program's classes, variables or fetches. Numbers are calculated as decimals.
indirect enum SeedExpression {
  case literal(ExpressionValue)
  /// The parts of a key path.
  case key([String])
  case negative(SeedExpression)
  case operation(Operator, SeedExpression, SeedExpression)
  case function(Function, SeedExpression)
  case conditional(
    SeedExpression,
    Comparison,
    SeedExpression,
    then: SeedExpression,
    otherwise: SeedExpression
  )

  enum Operator: Character {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case by = "/"
  }

  enum Comparison: String {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// The functions, by their names in the format language, without the colon.
  enum Function: String, CaseIterable {
    case uppercase, lowercase, length, abs, floor, ceiling, trunc
  }
}

/// A value within an expression.
enum ExpressionValue: Equatable {
  case null
  case text(String)
  case number(Decimal)
  case bool(Bool)

  /// The words by which an error names its kind.
  var kind: String {
    switch self {
    case .null: "nil"
    case .text(let text): "the text \"\(text.abbreviated)\""
    case .number(let number): "the number \(number)"
    case .bool(let truth): "the boolean \(truth)"
    }
  }

  /// The value as a seed spells it.
  var seedValue: SeedValue {
    switch self {
    case .null: .null
    case .text(let text): .string(text)
    case .number(let number): SeedValue(number: "\(number)") ?? .null
    case .bool(let truth): .bool(truth)
    }
  }
}

/// Expressions that were read, of which a seed has few in many records. Used by one thread at a time.
final class ExpressionCache {
  private static let most = 1000
  private var expressions: [String: SeedExpression] = [:]

  func expression(_ text: String) throws(AttributeConversion.Failure) -> SeedExpression {
    if let known = expressions[text] { return known }
    if expressions.count == Self.most { expressions = [:] }
    var reader = ExpressionReader(text)
    let expression = try reader.read()
    expressions[text] = expression
    return expression
  }
}
