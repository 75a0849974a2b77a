import CoreData
import Foundation
import Predicates

@testable import CoreData

extension PostgreSQLDialect {
  func write(_ test: SQLTextTest, to writer: inout SQLWriter) throws {
    // With case folded and marks kept, an `e` is no part of an `é`.
    let heedsMarks = test.options == .caseInsensitive
    switch test.operation {
    case .equal: try write(test, "", " = ", "", to: &writer)
    case .beginsWith where heedsMarks: try write(test, "perennial_begins(", ", ", ")", to: &writer)
    case .contains where heedsMarks: try write(test, "perennial_has(", ", ", ")", to: &writer)
    case .beginsWith: try write(test, "starts_with(", ", ", ")", to: &writer)
    case .contains: try write(test, "strpos(", ", ", ") > 0", to: &writer)
    case .endsWith: try writeEnd(test, to: &writer)
    case .like: try write(test, likePattern(of: test), " LIKE ", to: &writer)
    case .matches: try write(test, expression(of: test), " ~ ", to: &writer)
    }
  }

  private func write(
    _ test: SQLTextTest,
    _ before: String,
    _ between: String,
    _ behind: String,
    to writer: inout SQLWriter
  ) throws {
    writer.write(before)
    try write(test.text, test.options, to: &writer)
    writer.write(between)
    try write(test.pattern, test.options, to: &writer)
    writer.write(behind)
  }

  private func write(
    _ test: SQLTextTest,
    _ pattern: String,
    _ sign: String,
    to writer: inout SQLWriter
  ) throws {
    try write(test.text, test.options, to: &writer)
    writer.write(sign)
    writer.bind(.text(pattern), as: .text)
  }

  private func write(_ side: SQLTextTest.Side, _ options: TextOptions, to writer: inout SQLWriter) throws {
    switch side {
    case .constant(let text): writer.bind(.text(options.folded(text)), as: .text)
    case .expression(let write): try writeFolded(write, options, to: &writer)
    }
  }

  /// Of a text that is shorter than the end, `right` takes all, which is not the end.
  private func writeEnd(_ test: SQLTextTest, to writer: inout SQLWriter) throws {
    writer.write("right(")
    try write(test.text, test.options, to: &writer)
    writer.write(", length(")
    try write(test.pattern, test.options, to: &writer)
    writer.write(")) = ")
    try write(test.pattern, test.options, to: &writer)
  }

  func writeFolded(_ text: SQLWrite, _ options: TextOptions, to writer: inout SQLWriter) throws {
    if options.isEmpty { return try text(&writer) }
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "") + (options.contains(.diacriticInsensitive) ? "d" : "")
    writer.write("perennial_fold_\(letters)(")
    try text(&writer)
    writer.write(")")
  }

  func writeTextFunction(_ name: String, of text: SQLWrite, to writer: inout SQLWriter) throws {
    switch name {
    case "uppercase:", "lowercase:":
      writer.write(name == "uppercase:" ? "upper(" : "lower(")
      try text(&writer)
      writer.write(" COLLATE \"und-x-icu\")")
    case "canonical:": try writeFolded(text, [.caseInsensitive, .diacriticInsensitive], to: &writer)
    case "length:":
      // In UTF-16, as memory counts, a character behind U+FFFF is two.
      writer.write("(length(")
      try text(&writer)
      writer.write(") + length(regexp_replace(")
      try text(&writer)
      writer.write(", '[^\\U00010000-\\U0010FFFF]', '', 'g')))")
    default: throw SQLTranslationFailure.error(name, "PostgreSQL has no function with the same results")
    }
  }

  // MARK: - Patterns

  private func likePattern(of test: SQLTextTest) throws -> String {
    guard case .constant(let pattern) = test.pattern else {
      throw Self.unsaid(test, "its pattern is no constant")
    }
    var (result, literal) = ("", "")
    var isEscaped = false
    func ended() -> String {
      test.options.folded(literal).map { "\\%_".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped: isEscaped = true
      case "?" where !isEscaped: throw Self.unsaid(test, "? takes the marks behind a character too")
      case "*" where !isEscaped:
        result += ended() + "%"
        literal = ""
      default:
        literal.unicodeScalars.append(scalar)
        isEscaped = false
      }
    }
    if isEscaped { literal += "\\" }
    return result + ended()
  }

  /// The regular expression, if it means the same in both languages of them: one of letters, digits, classes of them, repetitions,
  /// groups and alternatives.
  private func expression(of test: SQLTextTest) throws -> String {
    guard case .constant(let pattern) = test.pattern, test.options.isEmpty,
      pattern.wholeMatch(of: /(?:[A-Za-z0-9 |()*+?]|\[(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9])+\])*/) != nil,
      !pattern.contains(/\(\?|[*+?][*+?]/)
    else { throw Self.unsaid(test, "its regular expression means something else there, or may") }
    return "^(?:\(pattern))$"
  }

  private static func unsaid(_ test: SQLTextTest, _ reason: String) -> any Error {
    SQLTranslationFailure.error("\(test.operation.rawValue.uppercased()) in PostgreSQL", reason)
  }
}
