import Foundation
import Texts

/// The text of a statement in a log: the statement with its rows and time on one line, and below
/// it, on lines of their own that are indented, what else was asked for.
///
/// Text that data may have influenced is made visible and short: control characters and those that change the direction
/// of a text are written as escapes, and a text that is longer than the limits below ends in dots.
package struct StatementText: CustomStringConvertible {
  /// The most characters of Unicode that are shown of a statement.
  static let longestStatement = 10_000
  /// The most characters of Unicode that are shown of a text in a binding or a row.
  static let longestText = 200
  /// The most bytes that are shown of data.
  static let mostBytes = 16
  /// The most values that are shown of the bindings of a statement.
  static let mostValues = 200
  /// The most rows that are shown of a statement.
  package static let mostRows = 100

  package let description: String

  init(_ statement: ExecutedStatement) {
    // A statement contains no data, so its line breaks are those that its author wrote.
    let sql = statement.sql.split(whereSeparator: \.isNewline).joined(separator: " ")
    var lines = ["\(Self.visible(sql, atMost: Self.longestStatement)) -- \(Self.outcome(of: statement))"]
    if !statement.bindings.isEmpty { lines.append("  bindings: \(Self.values(statement.bindings))") }
    lines += statement.triggers.map { "  trigger: \(Self.visible($0))" }
    lines += statement.rows.prefix(Self.mostRows).map { "  row: \(Self.values($0))" }
    let more = statement.rowCount - Self.mostRows
    if !statement.rows.isEmpty, more > 0 { lines.append("  and \(more) more") }
    lines += statement.plan.map { "  plan: \(Self.visible($0))" }
    description = lines.joined(separator: "\n")
  }

  private static func outcome(of statement: ExecutedStatement) -> String {
    let (seconds, attoseconds) = statement.duration.components
    let time = String(format: "%.6f s", Double(seconds) + Double(attoseconds) / 1e18)
    let changes = statement.changeCount.map { "\($0) changed, " } ?? ""
    return "\(changes)\(statement.rowCount) row\(statement.rowCount == 1 ? "" : "s"), \(time)"
  }

  /// Values as SQL writes them, but for data: `18, 'News', NULL, <3 bytes: 01 02 FF>`.
  static func values(_ values: [SQLValue]) -> String {
    let shown = values.prefix(mostValues).map(text).joined(separator: ", ")
    let more = values.count - mostValues
    return more > 0 ? "\(shown), and \(more) more" : shown
  }

  static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(visible(text, atMost: longestText).replacing("'", with: "''"))'"
    case .blob(let data): bytes(data, count: data.count)
    }
  }

  private static func bytes(_ data: Data, count: Int) -> String {
    if count == 0 { return "<0 bytes>" }
    let shown = data.prefix(mostBytes).map { String(format: "%02X", $0) }.joined(separator: " ")
    return "<\(count) byte\(count == 1 ? "" : "s"): \(shown)\(count > mostBytes ? " ..." : "")>"
  }

  private static func visible(_ text: String, atMost most: Int = 2000) -> String {
    VisibleText(spelling: text, atMost: most).description
  }
}
