#if PostgreSQL
  import CoreData
  import Foundation
  import Predicates

  extension PostgreSQLDialect {
    func write(_ test: SQLTextTest, to writer: inout SQLWriter) throws {
      // With case folded and marks kept, an `é` does not contain an `e`.
      let heedsMarks = test.options == .caseInsensitive
      switch test.operation {
      case .equal: try write(test, before: "", between: " = ", after: "", to: &writer)
      case .beginsWith where heedsMarks:
        // Only `starts_with` uses an index.
        writer.write("(")
        try write(test, before: "starts_with(", between: ", ", after: ") AND ", to: &writer)
        try write(test, before: "\(qualifier)perennial_begins(", between: ", ", after: "))", to: &writer)
      case .contains where heedsMarks:
        try write(test, before: "\(qualifier)perennial_has(", between: ", ", after: ")", to: &writer)
      case .beginsWith: try write(test, before: "starts_with(", between: ", ", after: ")", to: &writer)
      case .contains: try write(test, before: "strpos(", between: ", ", after: ") > 0", to: &writer)
      case .endsWith: try writeEnd(test, to: &writer)
      case .like: try writeLike(test, to: &writer)
      case .matches: try writeMatches(test, to: &writer)
      }
    }

    private func write(
      _ test: SQLTextTest,
      before: String,
      between: String,
      after: String,
      to writer: inout SQLWriter
    ) throws {
      writer.write(before)
      try write(test.text, options: test.options, to: &writer)
      writer.write(between)
      try write(test.pattern, options: test.options, to: &writer)
      writer.write(after)
    }

    private func write(_ side: SQLTextTest.Side, options: TextOptions, to writer: inout SQLWriter) throws {
      switch side {
      case .constant(let text): writer.bind(.text(options.folded(text)), as: .text)
      case .expression(let write): try writeFolded(write, options: options, to: &writer)
      }
    }

    /// Of a text that is shorter than the end, `right` takes all, which is not the end.
    private func writeEnd(_ test: SQLTextTest, to writer: inout SQLWriter) throws {
      writer.write("right(")
      try write(test.text, options: test.options, to: &writer)
      writer.write(", length(")
      try write(test.pattern, options: test.options, to: &writer)
      writer.write(")) = ")
      try write(test.pattern, options: test.options, to: &writer)
    }

    func writeFolded(_ text: SQLWrite, options: TextOptions, to writer: inout SQLWriter) throws {
      if options.isEmpty { return try text(&writer) }
      try requireFunctions(for: "A text without case or diacritics")
      writer.write("\(qualifier)perennial_fold_\(options.letters)(")
      try text(&writer)
      writer.write(")")
    }

    func writeTextFunction(_ name: String, of text: SQLWrite, to writer: inout SQLWriter) throws {
      switch name {
      case "canonical:": try writeFolded(text, options: [.caseInsensitive, .diacriticInsensitive], to: &writer)
      case "uppercase:", "lowercase:", "length:":
        try requireFunctions(for: name)
        writer.write("\(qualifier)perennial_\(name.dropLast())(")
        try text(&writer)
        writer.write(")")
      default: throw SQLUntranslatable(part: name, reason: "PostgreSQL has no function with the same results")
      }
    }

    // MARK: - Patterns

    private func writeLike(_ test: SQLTextTest, to writer: inout SQLWriter) throws {
      guard case .constant(let pattern) = test.pattern else {
        throw Self.unsaid(test, reason: "its pattern is not a constant")
      }
      if let plain = PostgreSQLPattern.plain(pattern, options: test.options) {
        try write(test.text, options: test.options, to: &writer)
        writer.write(" LIKE ")
        writer.bind(.text(plain), as: .text)
        return
      }
      guard let expression = PostgreSQLPattern.expression(pattern, options: test.options) else {
        throw Self.unsaid(test, reason: "it has ? and control characters")
      }
      try requireFunctions(for: "LIKE with ?")
      // The beginnings of characters must be determined before folding.
      try writeFolded(
        { writer in
          writer.write("\(qualifier)perennial_characters(")
          try write(test.text, options: [], to: &writer)
          writer.write(")")
        },
        options: test.options,
        to: &writer
      )
      writer.write(" ~ ")
      writer.bind(.text(expression), as: .text)
    }

    private func writeMatches(_ test: SQLTextTest, to writer: inout SQLWriter) throws {
      guard case .constant(let pattern) = test.pattern, !test.options.contains(.caseInsensitive),
        let expression = PostgreSQLExpression.translation(of: test.options.folded(pattern))
      else { throw Self.unsaid(test, reason: "its regular expression means something else there, or may") }
      try write(test.text, options: test.options, to: &writer)
      writer.write(" ~ ")
      writer.bind(.text(expression), as: .text)
    }

    private static func unsaid(_ test: SQLTextTest, reason: String) -> any Error {
      SQLUntranslatable(part: "\(test.operation.rawValue.uppercased()) in PostgreSQL", reason: reason)
    }
  }
#endif
