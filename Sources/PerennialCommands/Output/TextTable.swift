import Seeding
import Texts

/// A table for people: columns as wide as their values, up to a limit.
enum TextTable {
  /// Longer values are cut; the other formats have them whole.
  static let widestColumn = 40

  /// The table and the number of objects.
  ///
  /// - Parameters:
  ///   - isRaw: True when values have their control characters, line breaks excepted.
  ///   - width: The columns of the terminal that the table is for; nil where it is for none.
  static func text(_ table: ResultTable, isRaw: Bool = false, width: Int? = nil) -> String {
    (lines(table, isRaw: isRaw, width: width) + [summary(table.rows.count)]).joined(separator: "\n") + "\n"
  }

  /// The table alone: header, rule, rows.
  ///
  /// A row that is wider than the terminal has texts that are cut further, and dates without their time where that is
  /// not enough. Where there are too many columns for that, the terminal breaks the rows.
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

  /// The widths of columns whose first row is their header. Dates, of which the end would be missing, stay whole.
  private static func widths(of rows: [[Cell]]) -> ColumnWidths {
    let columns = rows[0].indices
    return ColumnWidths(
      wanted: columns.map { column in rows.reduce(0) { max($0, $1[column].text.count) } },
      isFixed: columns.map { column in rows.contains { $0[column].isNumber || $0[column].isDate } }
    )
  }

  /// Header, rule, rows.
  private static func lines(_ rows: [[Cell]], widths: [Int]) -> [String] {
    let gap = String(repeating: " ", count: ColumnWidths.gap)
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: gap)
    var lines = rows.map { line($0, widths: widths, gap: gap) }
    lines.insert(rule, at: 1)
    return lines
  }

  /// The most Unicode scalars that are taken of a value: one character for a reader may have very
  /// many, but more than so many are none of a text.
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

  private static func summary(_ count: Int) -> String {
    count == 1 ? "1 object" : "\(count) objects"
  }
}
