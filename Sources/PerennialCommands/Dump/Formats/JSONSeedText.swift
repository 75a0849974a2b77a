import Foundation

/// A seed in JSON: a line for each part of the header, for each entity and for each record.
struct JSONSeedText: SeedText {
  func data(of seed: DumpedSeed, namedAfter entity: String?) throws -> Data {
    var parts = try seed.header.map { "  \(try Self.text(.text($0.key))): \(try Self.text($0.value))" }
    for (name, records) in seed.entities {
      let lines = try records.map { "    \(try Self.text(.fields($0.fields)))" }
      parts.append("  \(try Self.text(.text(name))): [\n\(lines.joined(separator: ",\n"))\n  ]")
    }
    return Data((parts.isEmpty ? "{}\n" : "{\n\(parts.joined(separator: ",\n"))\n}\n").utf8)
  }

  /// A value on one line, the keys of objects sorted.
  static func text(_ value: ResultValue) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return JSONText.escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
