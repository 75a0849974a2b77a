import Foundation
import Predicates

extension SQLComparisonTranslator {
  func containment(_ left: SQLOperand, _ right: SQLOperand, isNegated: Bool) throws -> SQLCondition {
    switch left {
    case .collection, .list: return try membership(of: right, in: left, isNegated: isNegated)
    case .constant(let value) where value.elements != nil:
      return try membership(of: right, in: left, isNegated: isNegated)
    case .constant, .scalar: return try text(.contains, left, right, isNegated: isNegated)
    }
  }

  /// The test of a text against another one.
  func text(
    _ operation: TextMatcher.Operation,
    _ left: SQLOperand,
    _ right: SQLOperand,
    isNegated: Bool
  ) throws -> SQLCondition {
    switch (left, right) {
    case (.constant(.null), _), (_, .constant(.null)):
      return .constant(isNegated)
    case (.constant(.text(let text)), .constant(.text(let pattern))):
      let matcher = try TextMatcher(operation, pattern: pattern, options: textOptions)
      return .constant(matcher.matches(text) != isNegated)
    case (.scalar(let scalar), .constant(.text(let pattern))) where scalar.kind == .text:
      // Throws for a regular expression that is none.
      _ = try TextMatcher(operation, pattern: pattern, options: textOptions)
      return .atom(isNegated: isNegated) { try write(operation, scalar, pattern, to: &$0) }
    case (.constant(.text(let text)), .scalar(let scalar)) where scalar.kind == .text:
      return .atom(isNegated: isNegated) {
        try writeTextTest(operation, { $0.bind(.text(text)) }, scalar.write, to: &$0)
      }
    case (.scalar(let a), .scalar(let b)) where a.kind == .text && b.kind == .text:
      return .atom(isNegated: isNegated) { try writeTextTest(operation, a.write, b.write, to: &$0) }
    default:
      throw unsupported("both sides must be text")
    }
  }

  func writeTextTest(
    _ operation: TextMatcher.Operation,
    _ text: SQLWrite,
    _ pattern: SQLWrite,
    to writer: inout SQLWriter
  ) throws {
    writer.write("\(dialect.textTest(operation))(")
    try text(&writer)
    writer.write(", ")
    try pattern(&writer)
    writer.write(", \(textOptions.rawValue))")
  }

  /// Where every difference counts the database's own operators do, and for a beginning an index can be used.
  private func write(
    _ operation: TextMatcher.Operation,
    _ scalar: SQLScalar,
    _ pattern: String,
    to writer: inout SQLWriter
  ) throws {
    guard textOptions.isEmpty else {
      return try writeTextTest(operation, scalar.write, { $0.bind(.text(pattern)) }, to: &writer)
    }
    switch operation {
    case .beginsWith, .endsWith, .contains:
      if pattern.isEmpty {
        try scalar.write(&writer)
        writer.write(" IS NOT NULL")
        return
      }
      try writePlain(operation, scalar, pattern, to: &writer)
    case .equal, .like, .matches:
      try writeTextTest(operation, scalar.write, { $0.bind(.text(pattern)) }, to: &writer)
    }
  }

  private func writePlain(
    _ operation: TextMatcher.Operation,
    _ scalar: SQLScalar,
    _ pattern: String,
    to writer: inout SQLWriter
  ) throws {
    switch operation {
    case .beginsWith:
      writer.write("(")
      try scalar.write(&writer)
      writer.write(" >= ")
      writer.bind(.text(pattern))
      if let end = Self.firstText(behindAllWith: pattern) {
        writer.write(" AND ")
        try scalar.write(&writer)
        writer.write(" < ")
        writer.bind(.text(end))
      }
      writer.write(")")
    case .endsWith:
      writer.write("SUBSTR(")
      try scalar.write(&writer)
      writer.write(", \(-pattern.unicodeScalars.count)) = ")
      writer.bind(.text(pattern))
    default:
      writer.write("INSTR(")
      try scalar.write(&writer)
      writer.write(", ")
      writer.bind(.text(pattern))
      writer.write(") > 0")
    }
  }

  /// The first text, by the codes of the characters, that comes after all that begin with another one; `nil` when
  /// there is none.
  static func firstText(behindAllWith prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // Codes between U+D800 and U+DFFF are no characters.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        scalars.append(scalar)
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
      }
    }
    return nil
  }
}
