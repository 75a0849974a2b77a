import Foundation

/// Lists go as one text of JSON, so that one statement serves lists of every length.
extension SQLiteDialect {
  var longestBoundList: Int { 500 }

  func writeMembers(_ list: SQLList, as kind: SQLKind, to writer: inout SQLWriter) {
    let value =
      switch list {
      case .integers: "value"
      case .reals: "\(SQLiteFunctions.real)(value)"
      case .texts(let texts):
        // SQLite ends a JSON string at U+0000.
        texts.contains { $0.utf8.contains(0) } ? "CAST(\(SQLiteFunctions.blob)(value) AS TEXT)" : "value"
      case .blobs: "\(SQLiteFunctions.blob)(value)"
      }
    writer.write("SELECT \(value) FROM json_each(")
    writer.bind(.text(Self.json(list)))
    writer.write(")")
  }

  /// Numbers keep all their bits and data all their bytes; see `SQLiteFunctions.real` and `SQLiteFunctions.blob`.
  private static func json(_ list: SQLList) -> String {
    switch list {
    case .integers(let values): "[\(values.map(String.init).joined(separator: ","))]"
    case .reals(let values):
      "[\(values.map { String(Int64(bitPattern: $0.bitPattern)) }.joined(separator: ","))]"
    case .texts(let values) where values.contains { $0.utf8.contains(0) }:
      "[\(values.map { "\"\(hexadecimal($0.utf8))\"" }.joined(separator: ","))]"
    case .texts(let values): "[\(values.map(quoted).joined(separator: ","))]"
    case .blobs(let values): "[\(values.map { "\"\(hexadecimal($0))\"" }.joined(separator: ","))]"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        result.unicodeScalars.append("\\")
        result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1f}":
        let code = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - code.count) + code
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
