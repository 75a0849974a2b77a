import CoreData
import Foundation

/// Writes the record of one object after the other. Used on the queue of the objects' context.
struct RecordWriter {
  struct Record {
    /// The natural key, or nothing.
    let order: String
    let text: String
  }

  let relationships: DumpedRelationships
  let keys: DumpedKeys
  let labels: DumpedLabels
  /// What was left out, in words, each once.
  private(set) var omissions: Set<String> = []

  init(relationships: DumpedRelationships, keys: DumpedKeys, labels: DumpedLabels) {
    self.relationships = relationships
    self.keys = keys
    self.labels = labels
  }

  mutating func record(of object: NSManagedObject) throws -> Record {
    let entity = object.entity
    var fields = AttributeWords.fields(of: object) { omissions.insert($0) }
    for (relationship, objects) in relationships.written(of: object) where !objects.isEmpty {
      fields[relationship.name] = references(relationship, objects)
    }
    if let label = labels.label(of: object) { fields["$id"] = .text(label) }
    let order = keys.reference(to: object, as: entity)?.plainText ?? ""
    return Record(order: order, text: try Self.text(.fields(fields)))
  }

  private func references(_ relationship: NSRelationshipDescription, _ objects: [NSManagedObject])
    -> ResultValue?
  {
    guard let destination = relationship.destinationEntity else { return nil }
    let values = objects.compactMap { object in
      keys.reference(to: object, as: destination)
        ?? labels.label(of: object).map { .fields(["$ref": .text($0)]) }
    }
    if !relationship.isToMany { return values.first }
    return .list(relationship.isOrdered ? values : values.sorted { $0.plainText < $1.plainText })
  }

  static func quoted(_ text: String) throws -> String { try Self.text(.text(text)) }

  static func text(_ value: ResultValue) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return JSONText.escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
