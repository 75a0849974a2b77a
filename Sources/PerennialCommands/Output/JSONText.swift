import Foundation
import Texts

/// A list of objects in JSON, keys sorted, so that equal stores print equal text.
enum JSONText {
  static func text(_ table: ResultTable) throws -> String {
    let objects = table.rows.map { row in
      Dictionary(zip(table.columns, row), uniquingKeysWith: { first, _ in first })
    }
    return try text(of: objects)
  }

  /// One object, without a line break behind it.
  static func object(_ fields: [String: ResultValue]) throws -> String {
    String(try text(of: ResultValue.fields(fields)).dropLast())
  }

  private static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
  }

  /// The same JSON, with escapes for the characters that a terminal takes for commands or turns
  /// texts round by. JSON asks for that only below U+0020; these stand nowhere else than in
  /// strings.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x7F }) { return text }
    return text.replacingScalars { scalar in
      guard scalar.value >= 0x7F, scalar.isCommand || scalar.turnsDirection else { return nil }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}

extension ResultValue: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    // JSON has no word for what is no finite number.
    case .real(let value) where !value.isFinite: try container.encode("\(value)")
    case .real(let value): try container.encode(value)
    case .decimal(let value) where !value.isFinite: try container.encode("\(value)")
    case .decimal(let value): try container.encode(value)
    case .text, .date, .data: try container.encode(plainText)
    case .list(let values): try container.encode(values)
    case .fields(let values): try container.encode(values)
    }
  }
}
