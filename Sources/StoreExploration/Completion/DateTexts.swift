import CoreData
import Foundation
import Predicates
import Seeding

/// The texts in a predicate that are compared with dates, such as `"2024-01-01"` in
/// `createdAt > "2024-01-01"`.
///
/// The text of a predicate keeps them as a person has written them. Before the predicate is parsed, each of them
/// becomes the date that it spells.
struct DateTexts {
  /// A text, its place in bytes of UTF-8, and the date that it spells.
  private struct Found {
    let range: Range<Int>
    let date: Date
  }

  private let text: String
  private let found: [Found]

  init(_ text: String, entity: NSEntityDescription) {
    self.text = text
    var scanner = PredicateScanner(entity: entity)
    var lexer = FormatLexer(text)
    while let token = try? lexer.next(), token.kind != .end { scanner.read(token) }
    scanner.finish()
    found = scanner.comparisons.flatMap { comparison in
      if Self.isDate(comparison.left) { return Self.texts(comparison.right) }
      return Self.isDate(comparison.right) ? Self.texts(comparison.left) : []
    }
    .sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The date that a text spells in ISO 8601: `2024-03-17`, whose midnight in UTC is meant, or a date with a time and
  /// a zone; `nil` for any other text.
  static func date(_ text: String) -> Date? { ISO8601Date.parse(text) }

  /// The text of the same predicate with dates in the place of their texts.
  var replaced: String {
    if found.isEmpty { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var end = 0
    for each in found where each.range.lowerBound >= end && each.range.upperBound <= bytes.count {
      result += bytes[end..<each.range.lowerBound]
      result += NSExpression(forConstantValue: each.date).description.utf8
      end = each.range.upperBound
    }
    result += bytes[end...]
    return String(decoding: result, as: UTF8.self)
  }

  private static func isDate(_ operand: ScannedOperand) -> Bool {
    guard case .attribute(let attribute, _)? = operand.path?.end else { return false }
    return attribute.attributeType == .dateAttributeType
  }

  private static func texts(_ operand: ScannedOperand) -> [Found] {
    switch operand.kind {
    case .text(let text): date(text).map { [Found(range: operand.range, date: $0)] } ?? []
    case .list(let elements): elements.flatMap(texts)
    default: []
    }
  }
}
