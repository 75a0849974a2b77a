import Seeding
import Texts

/// Comma-separated values as in RFC 4180: a header, lines that end in CR LF, and quotes where they are needed.
///
/// Spreadsheet programs evaluate a cell that begins with `=`, `+`, `-` or `@` as a formula. Texts that begin
/// so get an apostrophe in front, by which those programs recognize a text; numbers stay as they are.
/// Control characters are written as `\u{1B}`, except tabs and line breaks, which are valid data of tables.
/// Raw texts are changed in neither way.
enum CSVText {
  static func text(_ table: ResultTable, isRaw: Bool = false) -> String {
    var text = CSVLine.text(table.columns.map { isRaw ? $0 : CSVLine.guarded($0) })
    for row in table.rows {
      text += CSVLine.text(row.map { isRaw || $0.isNumber ? $0.plainText : CSVLine.guarded($0.plainText) })
    }
    return text
  }
}
