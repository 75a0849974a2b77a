import ArgumentParser
import Foundation
import Seeding
import Texts

/// The formats in which a dump can be written.
enum DumpFormat: String, ExpressibleByArgument, CaseIterable {
  case json, jsonl, yaml, csv, plist

  /// The format that a file name implies; nil where it implies none.
  init?(fileName: String) {
    switch SeedFormat(SeedFileName(fileName)) {
    case .json: self = .json
    case .jsonLines: self = .jsonl
    case .yaml: self = .yaml
    case .separatedValues: self = .csv
    case .propertyList: self = .plist
    case nil: return nil
    }
  }

  var text: any SeedText {
    switch self {
    case .json: JSONSeedText()
    case .jsonl: JSONLinesSeedText()
    case .yaml: YAMLSeedText()
    case .csv: TableSeedText()
    case .plist: PropertyListSeedText()
    }
  }
}

/// Writes a seed in one format.
protocol SeedText {
  /// The reason that the format cannot express a seed as a whole; nil where it can.
  func refusal(of seed: DumpedSeed) -> String?

  /// The reason that the format cannot express a field of a record; nil where it can.
  func refusal(of value: ResultValue, in kind: DumpedSeed.FieldKind) -> String?

  /// True when a file contains only the records of one entity, without a header.
  var isTable: Bool { get }

  /// The bytes of the seed.
  /// - Parameter entity: The entity that the file is named after, if the file contains only that entity's records.
  func data(of seed: DumpedSeed, namedAfter entity: String?) throws -> Data

  /// The limit (`SeedLimits`), in bytes, that must be set for the seed to be read: of a record, or of the
  /// seed for formats that are read as a whole. Nil where the usual limits suffice.
  func neededLimit(of seed: DumpedSeed, data: Data) -> Int?
}

extension SeedText {
  var isTable: Bool { false }

  func refusal(of seed: DumpedSeed) -> String? { nil }

  func refusal(of value: ResultValue, in kind: DumpedSeed.FieldKind) -> String? { nil }

  /// The limit for formats that are read record by record.
  func neededLimit(of seed: DumpedSeed, data: Data) -> Int? {
    let limits = SeedLimits()
    var needed = 0
    // No record is larger than all records together.
    if data.count <= limits.largestRecord, data.count <= limits.mostValuesOfRecord { return nil }
    for record in seed.entities.flatMap(\.records) {
      let value = ResultValue.fields(record.fields)
      needed = max(needed, value.textCount, 32 * value.valueCount)
    }
    return needed > limits.largestRecord ? needed : nil
  }
}

extension ResultValue {
  /// The number of values in the value, including itself.
  var valueCount: Int {
    switch self {
    case .list(let values): values.reduce(1) { $0 + $1.valueCount }
    case .fields(let values): values.values.reduce(1) { $0 + $1.valueCount }
    default: 1
    }
  }

  /// The largest size of its JSON text in bytes. An escaped character has six.
  fileprivate var textCount: Int {
    switch self {
    case .none, .bool: 5
    case .integer, .real, .decimal, .date: 64
    case .text(let text): text.unicodeScalars.reduce(2) { $0 + $1.jsonCount }
    case .data(let data): data.count / 3 * 4 + 8
    case .list(let values): values.reduce(2) { $0 + $1.textCount + 1 }
    case .fields(let values):
      values.reduce(2) { $0 + $1.value.textCount + ResultValue.text($1.key).textCount + 2 }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var jsonCount: Int {
    if value < 0x20 || value >= 0x7F && (isCommand || turnsDirection) { return 6 }
    return self == "\"" || self == "\\" ? 2 : UTF8.width(self)
  }
}
