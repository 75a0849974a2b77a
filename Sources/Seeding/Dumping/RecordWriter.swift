import CoreData
import Foundation
import Texts

/// Writes the record of one object after the other. Used on the queue of the objects' context.
struct RecordWriter {
  let relationships: DumpedRelationships
  let keys: DumpedKeys
  let labels: DumpedLabels
  /// The values that were left out, in words, each once.
  private(set) var omissions: Set<String> = []

  mutating func record(of object: NSManagedObject) -> DumpedRecord {
    let entity = object.entity
    let key = keys.reference(to: object, as: entity)?.plainText
    let words = Self.words(for: object, key: key)
    var fields = AttributeWords.fields(of: object) { omissions.insert($0) }
    for (relationship, objects) in relationships.written(of: object) where !objects.isEmpty {
      fields[relationship.name] = references(relationship, objects: objects, of: words)
    }
    omissions.formUnion(relationships.contradictions[object.objectID] ?? [])
    if let label = labels.label(of: object) { fields["$id"] = .text(label) }
    return DumpedRecord(order: key ?? "", words: words, fields: fields)
  }

  private mutating func references(
    _ relationship: NSRelationshipDescription,
    objects: [NSManagedObject],
    of words: String
  ) -> ResultValue? {
    guard let destination = relationship.destinationEntity else { return nil }
    var values: [ResultValue] = []
    for object in objects {
      if let value = keys.reference(to: object, as: destination)
        ?? labels.label(of: object).map({ .fields(["$ref": .text($0)]) })
      {
        values.append(value)
      } else {
        let other = Self.words(for: object)
        omissions.insert(
          "\(words), \(relationship.name): it leads to \(other), which is not in the dump and has no natural key of its own"
        )
      }
    }
    if !relationship.isToMany { return values.first }
    if values.isEmpty { return nil }
    return .list(relationship.isOrdered ? values : values.sorted { $0.plainText < $1.plainText })
  }

  /// `Note "Hello"`, or `Note 12` by the number of its row.
  static func words(for object: NSManagedObject, key: String? = nil) -> String {
    let name = object.entity.name ?? ""
    if let key { return "\(name) \"\(key.abbreviated)\"" }
    return "\(name) \(object.objectID.uriRepresentation().lastPathComponent.drop { !$0.isNumber })"
  }
}
