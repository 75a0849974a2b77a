package import Foundation
import Texts

/// Seeds and their values as JSON.
package enum SeedJSON {
  /// The bytes of a seed: a line for each part of the header, for each entity and for each record.
  package static func data(of seed: DumpedSeed) throws -> Data {
    var parts = try seed.header.map { "  \(try text(.text($0.key))): \(try text($0.value))" }
    for (name, records) in seed.entities {
      let lines = try records.map { "    \(try text(.fields($0.fields)))" }
      parts.append("  \(try text(.text(name))): [\n\(lines.joined(separator: ",\n"))\n  ]")
    }
    return Data((parts.isEmpty ? "{}\n" : "{\n\(parts.joined(separator: ",\n"))\n}\n").utf8)
  }

  /// A value on one line, the keys of objects sorted.
  package static func text(_ value: ResultValue) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// The same JSON, with escapes for the characters that a terminal takes for commands or turns texts round by. JSON
  /// asks for that only below U+0020; these stand nowhere else than in strings.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x7F }) { return text }
    return text.replacingScalars { scalar in
      guard scalar.value >= 0x7F, scalar.isCommand || scalar.turnsDirection else { return nil }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}
