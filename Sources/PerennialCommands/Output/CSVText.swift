import Seeding
import Texts

/// Comma-separated values after RFC 4180: a header, lines that end in CR LF, quotes where they are
/// needed.
///
/// Programs for tables take a cell that begins with `=`, `+`, `-` or `@` for a formula, and run it.
/// Texts that do get an apostrophe in front, which those programs take for the mark of a text;
/// numbers stay as they are. Control characters are spelled as `\u{1B}`, but for tabs and line
/// breaks, which are data of tables. Raw texts are neither.
enum CSVText {
  static func text(_ table: ResultTable, isRaw: Bool = false) -> String {
    var text = CSVLine.text(table.columns.map { isRaw ? $0 : CSVLine.guarded($0) })
    for row in table.rows {
      text += CSVLine.text(row.map { isRaw || $0.isNumber ? $0.plainText : CSVLine.guarded($0.plainText) })
    }
    return text
  }
}
