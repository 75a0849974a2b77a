import Seeding
import Texts

/// A table for people, whose columns are as wide as their values, up to a limit.
enum TextTable {
  /// The widest column, in characters. Longer values are cut here; the other formats keep them whole.
  static let widestColumn = 40

  /// The table, and a line with the number of objects.
  ///
  /// - Parameters:
  ///   - isRaw: True when values keep their control characters, except line breaks.
  ///   - width: The number of the terminal's columns; nil where the output is not a terminal.
  static func text(_ table: ResultTable, isRaw: Bool = false, width: Int? = nil) -> String {
    (lines(table, isRaw: isRaw, width: width) + [summary(table.rows.count)]).joined(separator: "\n") + "\n"
  }

  /// The table without the number of objects: header, rule, rows.
  ///
  /// If a row is wider than the terminal, its texts are cut further. If that is not enough, dates lose their time. If
  /// there are still too many columns, the terminal breaks the rows.
  static func lines(_ table: ResultTable, isRaw: Bool = false, width: Int? = nil) -> [String] {
    let rows =
      [table.columns.map { Cell(text: $0.onOneLine) }] + table.rows.map { $0.map { cell($0, isRaw: isRaw) } }
    guard let width else { return lines(rows, widths: widths(of: rows).wanted) }
    if let narrowed = widths(of: rows).fitting(width, narrowest: 12) { return lines(rows, widths: narrowed) }
    let days = rows.map { $0.map(\.asDay) }
    if let narrowed = widths(of: days).fitting(width, narrowest: 10) { return lines(days, widths: narrowed) }
    return lines(rows, widths: widths(of: rows).wanted)
  }

  private struct Cell {
    var text: String
    var isNumber = false
    var isDate = false

    private static let dayLength = 10

    /// A date without its time: `2024-03-17`; any other value as it is.
    var asDay: Cell {
      guard isDate, text.dropFirst(Self.dayLength).first == "T" else { return self }
      return Cell(text: String(text.prefix(Self.dayLength)))
    }
  }

  /// The widths of columns whose first row is their header. Dates are not cut, because they would lose their end.
  private static func widths(of rows: [[Cell]]) -> ColumnWidths {
    let columns = rows[0].indices
    return ColumnWidths(
      wanted: columns.map { column in rows.reduce(0) { max($0, $1[column].text.count) } },
      isFixed: columns.map { column in rows.contains { $0[column].isNumber || $0[column].isDate } }
    )
  }

  /// The header, the rule and the rows.
  private static func lines(_ rows: [[Cell]], widths: [Int]) -> [String] {
    let gap = String(repeating: " ", count: ColumnWidths.gap)
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: gap)
    var lines = rows.map { line($0, widths: widths, gap: gap) }
    lines.insert(rule, at: 1)
    return lines
  }

  /// The largest number of Unicode scalars that are read of a value. A single character may consist of very
  /// many scalars, but eight for each character are enough for any text.
  private static let mostScalars = 8 * widestColumn

  private static func cell(_ value: ResultValue, isRaw: Bool) -> Cell {
    var text = value.plainText.cut(to: mostScalars)
    if case .data(let data) = value { text = "\(data.count) bytes" }
    text = isRaw ? text.split(whereSeparator: \.isNewline).joined(separator: " ") : text.onOneLine
    var cell = Cell(text: cut(text, to: widestColumn), isNumber: value.isNumber)
    if case .date = value { cell.isDate = true }
    return cell
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count > width ? text.prefix(width - 3) + "..." : text
  }

  private static func line(_ cells: [Cell], widths: [Int], gap: String) -> String {
    var line = ""
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      let text = cut(cell.text, to: width)
      let space = String(repeating: " ", count: width - text.count)
      line += cell.isNumber ? space + text : text + space
      if index < widths.count - 1 { line += gap }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func summary(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }
}
