import Foundation
import Seeding

/// A list of objects in JSON, with sorted keys, so that equal stores give equal text.
enum JSONText {
  static func text(_ table: ResultTable) throws -> String {
    let objects = table.rows.map { row in
      Dictionary(zip(table.columns, row), uniquingKeysWith: { first, _ in first })
    }
    return try text(of: objects)
  }

  /// One object, without a line break at its end.
  static func object(_ fields: [String: ResultValue]) throws -> String {
    String(try text(of: ResultValue.fields(fields)).dropLast())
  }

  /// Any value, with sorted keys.
  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return SeedJSON.escaped(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
  }
}
