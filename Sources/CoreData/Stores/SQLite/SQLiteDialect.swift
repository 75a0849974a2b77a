import Foundation
import Predicates

/// The SQL of SQLite, with the functions and collations that `SQLiteFunctions` registers.
struct SQLiteDialect: SQLDialect {
  func identifier(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain ? name : "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
  }

  func placeholder(_ number: Int) -> String { "?" }

  func writeLimit(_ limit: Int, offset: Int, to writer: inout SQLWriter) {
    guard limit > 0 || offset > 0 else { return }
    // SQLite has no offset without a limit; a negative one is none.
    writer.write(" LIMIT ")
    writer.bind(.integer(limit > 0 ? Int64(limit) : -1))
    guard offset > 0 else { return }
    writer.write(" OFFSET ")
    writer.bind(.integer(Int64(offset)))
  }

  func columnType(_ storage: SQLStorage, of attribute: NSAttributeType?) -> String {
    switch storage {
    case .integer, .order: "INTEGER"
    case .real: attribute == .dateAttributeType ? "TIMESTAMP" : "FLOAT"
    case .decimal: "DECIMAL"
    case .text, .uri: "VARCHAR"
    case .uuid, .transformable, .binary: "BLOB"
    }
  }

  var nullSafeEqual: String { "IS" }
  var nullSafeNotEqual: String { "IS NOT" }
  var longestBoundList: Int { 500 }

  func writeMembers(_ list: SQLList, to writer: inout SQLWriter) {
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

  func textTest(_ operation: TextMatcher.Operation) -> String { SQLiteTextFunctions.name(of: operation) }

  var foldFunction: String { SQLiteTextFunctions.fold }

  func textFunction(_ name: String) -> String { SQLiteTextFunctions.name(ofFunction: name) }

  func numberFunction(_ name: String) -> String { SQLiteNumberFunctions.name(ofFunction: name) }

  func collation(_ order: TextOrder) -> String? { SQLiteCollation.name(of: order) }

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
