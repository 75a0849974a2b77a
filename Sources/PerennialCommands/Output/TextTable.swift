import Seeding
import Texts

/// A table for people: columns as wide as their values, up to a limit.
enum TextTable {
  /// Longer values are cut; the other formats have them whole.
  static let widestColumn = 40

  /// The table and the number of objects.
  /// - Parameter isRaw: True when values have their control characters, line breaks excepted.
  static func text(_ table: ResultTable, isRaw: Bool = false) -> String {
    (lines(table, isRaw: isRaw) + [summary(table.rows.count)]).joined(separator: "\n") + "\n"
  }

  /// The table alone: header, rule, rows.
  static func lines(_ table: ResultTable, isRaw: Bool = false) -> [String] {
    let cells = table.rows.map { $0.map { cell($0, isRaw) } }
    let columns = table.columns.map(\.onOneLine)
    let widths = columns.indices.map { column in
      cells.reduce(columns[column].count) { max($0, $1[column].text.count) }
    }
    let header = line(columns.map { Cell(text: $0, isNumber: false) }, widths)
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    return [header, rule] + cells.map { line($0, widths) }
  }

  private struct Cell {
    let text: String
    let isNumber: Bool
  }

  /// The most Unicode scalars that are taken of a value: one character for a reader may have very
  /// many, but more than so many are none of a text.
  private static let mostScalars = 8 * widestColumn

  private static func cell(_ value: ResultValue, _ isRaw: Bool) -> Cell {
    var text = value.plainText.cut(to: mostScalars)
    if case .data(let data) = value { text = "\(data.count) bytes" }
    text = isRaw ? text.split(whereSeparator: \.isNewline).joined(separator: " ") : text.onOneLine
    if text.count > widestColumn { text = text.prefix(widestColumn - 3) + "..." }
    return Cell(text: text, isNumber: value.isNumber)
  }

  private static func line(_ cells: [Cell], _ widths: [Int]) -> String {
    var line = ""
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      let space = String(repeating: " ", count: width - cell.text.count)
      line += cell.isNumber ? space + cell.text : cell.text + space
      if index < widths.count - 1 { line += "  " }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func summary(_ count: Int) -> String {
    count == 1 ? "1 object" : "\(count) objects"
  }
}
