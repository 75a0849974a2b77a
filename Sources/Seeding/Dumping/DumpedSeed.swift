import Foundation

/// The objects of a store as records, before a format is chosen.
package struct DumpedSeed: Sendable {
  /// The kinds of fields, by which the reader of a table takes them.
  package enum FieldKind: Sendable {
    case attribute, transformable, relationship
  }

  /// True when the model has annotations, which the reader of the seed is to pass over.
  package var isPlain = false
  /// Natural keys that are not the model's, by entity.
  package var keys: [String: [String]] = [:]
  /// The records of each entity that has any: entities by name, records by their natural keys.
  package var entities: [(name: String, records: [DumpedRecord])] = []
  /// The kinds of the properties that differ from ordinary attributes, for each entity of the model.
  package var kinds: [String: [String: FieldKind]] = [:]
  /// The values and fields that a seed cannot express, in words.
  package var omissions: [String] = []

  /// The declarations that the reader has to know beforehand, by the keys of a header in their order.
  package var header: [(key: String, value: ResultValue)] {
    var header: [(String, ResultValue)] = []
    if isPlain { header.append(("$plain", .bool(true))) }
    if !keys.isEmpty {
      header.append(("$keys", .fields(keys.mapValues { .list($0.map(ResultValue.text)) })))
    }
    return header
  }

  /// The seed without the fields that a format cannot express, which become omissions.
  /// - Parameter refusal: Gives the reason why a format cannot express a field; nil if it can.
  package func without(_ refusal: (ResultValue, FieldKind) -> String?) -> DumpedSeed {
    var seed = self
    for (index, (entity, records)) in entities.enumerated() {
      let kinds = kinds[entity] ?? [:]
      seed.entities[index].records = records.map { record in
        var reduced = record
        for (name, value) in record.fields.sorted(by: { $0.key < $1.key }) {
          guard let reason = refusal(value, kinds[name] ?? .attribute) else { continue }
          reduced.fields[name] = nil
          seed.omissions.append("\(record.words), \(name): \(reason)")
        }
        return reduced
      }
    }
    return seed
  }
}

/// One object in a dump.
package struct DumpedRecord: Sendable {
  /// The natural key, or nothing.
  package let order: String
  /// The words by which an error names the object.
  package let words: String
  package var fields: [String: ResultValue]
}
