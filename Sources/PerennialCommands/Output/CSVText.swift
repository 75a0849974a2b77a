/// Comma-separated values after RFC 4180: a header, lines that end in CR LF, quotes where they are needed.
enum CSVText {
  static func text(_ table: ResultTable) -> String {
    var text = line(table.columns)
    for row in table.rows { text += line(row.map(\.plainText)) }
    return text
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ field: String) -> String {
    let needsQuotes = field.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
    }
    guard needsQuotes || field.first == " " || field.last == " " else { return field }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
