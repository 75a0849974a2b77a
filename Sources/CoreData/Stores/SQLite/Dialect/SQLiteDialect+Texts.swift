import Foundation
import Predicates

/// SQLite's own operators compare texts when every difference counts, and for a prefix they can use an
/// index. All other comparisons use functions that SQLite calls back.
extension SQLiteDialect {
  func write(_ test: SQLTextTest, to writer: inout SQLWriter) throws {
    if test.options.isEmpty, case .expression(let text) = test.text,
      case .constant(let pattern) = test.pattern,
      try writePlain(test.operation, text: text, pattern: pattern, to: &writer)
    {
      return
    }
    writer.write("\(SQLiteTextFunctions.name(of: test.operation))(")
    try test.text.write(to: &writer)
    writer.write(", ")
    try test.pattern.write(to: &writer)
    write(test.options, to: &writer)
  }

  func writeFolded(_ text: SQLWrite, options: TextOptions, to writer: inout SQLWriter) throws {
    writer.write("\(SQLiteTextFunctions.fold)(")
    try text(&writer)
    write(options, to: &writer)
  }

  /// Writes the options as the last argument of a function.
  private func write(_ options: TextOptions, to writer: inout SQLWriter) {
    writer.write(", ")
    writer.write(constant: "\(options.rawValue)")
    writer.write(")")
  }

  func writeTextFunction(_ name: String, of text: SQLWrite, to writer: inout SQLWriter) throws {
    try writer.writeCall(textFunction(name), of: text)
  }

  func textFunction(_ name: String) -> String { SQLiteTextFunctions.name(ofFunction: name) }

  /// - Returns: true when the operation has plain SQL.
  private func writePlain(
    _ operation: TextMatcher.Operation,
    text: SQLWrite,
    pattern: String,
    to writer: inout SQLWriter
  ) throws -> Bool {
    switch operation {
    case .equal, .like, .matches: return false
    case .beginsWith, .endsWith, .contains: break
    }
    if pattern.isEmpty {
      try text(&writer)
      writer.write(" IS NOT NULL")
      return true
    }
    switch operation {
    case .beginsWith:
      writer.write("(")
      try text(&writer)
      writer.write(" >= ")
      writer.bind(.text(pattern), as: .text)
      if let end = Self.firstText(behindAllWith: pattern) {
        writer.write(" AND ")
        try text(&writer)
        writer.write(" < ")
        writer.bind(.text(end), as: .text)
      }
      writer.write(")")
    case .endsWith:
      // To find the end of a text SQLite would count its characters, and count no further than to U+0000.
      try writer.writeCall(SQLiteTextFunctions.hasSuffix, of: text) { $0.bind(.text(pattern), as: .text) }
    default:
      try writer.writeCall("INSTR", of: text) { $0.bind(.text(pattern), as: .text) }
      writer.write(" > 0")
    }
    return true
  }

  /// The first text, in the order of character codes, that is greater than all texts with a given prefix;
  /// `nil` when there is none.
  static func firstText(behindAllWith prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // Codes between U+D800 and U+DFFF are surrogates, not characters.
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
