import Foundation
import Seeding

/// The records of one entity as a table (RFC 4180): the keys in the first row, a record in each other.
///
/// A field without anything in it is no value, so a table has no words for a text without characters or for no value in
/// place of a default.
struct TableSeedText: SeedText {
  private static let separator = ","
  /// What separates the objects of a to-many relationship.
  private static let listSeparator: Character = "|"

  var isTable: Bool { true }

  /// A table has no header.
  func refusal(of seed: DumpedSeed) -> String? {
    if seed.isPlain {
      return "the model has annotations for seeds, and a table has no header that says to pass over them"
    }
    for (name, _) in seed.entities {
      if seed.keys[name] != nil {
        return
          "the model's natural key of \(name) does not tell its objects apart, and a table has no header that says so"
      }
      if seed.columns[name]?.isEmpty ?? true {
        return "\(name) has no properties, so a table of it has no columns"
      }
    }
    return nil
  }

  func refusal(of value: ResultValue, in kind: DumpedSeed.FieldKind) -> String? {
    if kind == .relationship, case .list(let values) = value {
      return values.lazy.compactMap(Self.refusal(inList:)).first
    }
    if kind == .transformable, value.isScalar { return "in a table, it would be a text" }
    return Self.refusal(of: value)
  }

  private static func refusal(of value: ResultValue) -> String? {
    switch value {
    case .none: "a table has no word for no value in place of a default"
    case .list: "a table has no words for a list"
    case .fields(let fields) where fields["$ref"] != nil: "a table has no words for a reference by a label"
    case .fields: "a table has no words for an object of several values"
    case .text, .date, .data:
      if value.plainText.isEmpty {
        "a table has no words for a text without characters"
      } else if value.plainText.utf8.contains(0) {
        "a table has no words for a character that is 0"
      } else {
        nil
      }
    default: nil
    }
  }

  private static func refusal(inList value: ResultValue) -> String? {
    if let refusal = refusal(of: value) { return refusal }
    let text = value.plainText
    let isBare =
      !text.contains(listSeparator) && text.first?.isWhitespace == false && text.last?.isWhitespace == false
    return isBare ? nil : "in a list of a table, the key \"\(text.abbreviated)\" would be another"
  }

  func data(of seed: DumpedSeed, namedAfter entity: String?) throws -> Data {
    guard let (name, records) = seed.entities.first else { return Data() }
    var columns = Array(Set(records.flatMap(\.fields.keys))).sorted()
    if columns.isEmpty, let column = seed.columns[name], !column.isEmpty { columns = [column] }
    var text = Self.row(columns)
    for record in records {
      text += Self.row(try columns.map { try record.fields[$0].map(Self.field) ?? "" })
    }
    return Data(text.utf8)
  }

  private static func field(_ value: ResultValue) throws -> String {
    switch value {
    case .list(let values): try values.map(field).joined(separator: String(listSeparator))
    case .bool, .integer, .real, .decimal: try JSONSeedText.text(value).trimmingCharacters(in: ["\""])
    default: value.plainText
    }
  }

  private static func row(_ fields: [String]) -> String {
    let row = fields.map(quoted).joined(separator: separator)
    // A row with nothing in it is none.
    return (row.allSatisfy(\.isWhitespace) ? "\"\"" : row) + "\r\n"
  }

  private static func quoted(_ field: String) -> String {
    let special = field.utf8.contains { [0x2C, 0x22, 0x0A, 0x0D, 0x09, 0x3B].contains($0) }
    let isAtRisk = field.first?.isWhitespace == true || field.last?.isWhitespace == true
    guard special || isAtRisk else { return field }
    var text = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { text.unicodeScalars.append(scalar) }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}

extension ResultValue {
  /// Whether it is a number or a truth.
  fileprivate var isScalar: Bool {
    switch self {
    case .bool, .integer, .real, .decimal: true
    default: false
    }
  }
}
