import CoreData
import Foundation
import Seeding

/// Writes the record of one object after the other. Used on the queue of the objects' context.
struct RecordWriter {
  struct Record {
    /// The natural key, or nothing.
    let order: String
    let text: String
  }

  let relationships: DumpedRelationships
  let keys: DumpedKeys
  /// What was left out, in words, each once.
  private(set) var omissions: Set<String> = []

  init(relationships: DumpedRelationships, keys: DumpedKeys) {
    self.relationships = relationships
    self.keys = keys
  }

  mutating func record(of object: NSManagedObject) throws -> Record {
    var fields: [String: ResultValue] = [:]
    let entity = object.entity
    for (name, attribute) in entity.attributesByName
    where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
      if let value = value(of: attribute, object) { fields[name] = value }
    }
    for (name, relationship) in entity.relationshipsByName where relationships.isWritten(relationship) {
      if let value = references(relationship, object) { fields[name] = value }
    }
    let order = NaturalKeys().key(of: entity).flatMap { fields[$0.name]?.plainText } ?? ""
    return Record(order: order, text: try Self.text(.fields(fields)))
  }

  /// Nothing that is no default is not written; nothing in place of a default is.
  private mutating func value(of attribute: NSAttributeDescription, _ object: NSManagedObject) -> ResultValue?
  {
    guard let present = object.value(forKey: attribute.name) else {
      return attribute.defaultValue == nil ? nil : ResultValue.none
    }
    if let value = SeedWords.value(present, of: attribute) { return value }
    omissions.insert(
      "\(object.entity.name ?? "").\(attribute.name) with values of the class \(type(of: present))"
    )
    return nil
  }

  private mutating func references(
    _ relationship: NSRelationshipDescription,
    _ object: NSManagedObject
  ) -> ResultValue? {
    guard let destination = relationship.destinationEntity,
      let present = object.value(forKey: relationship.name)
    else { return nil }
    let objects: [NSManagedObject] =
      switch present {
      case let one as NSManagedObject: [one]
      case let ordered as NSOrderedSet: ordered.array as? [NSManagedObject] ?? []
      default: Array(present as? Set<NSManagedObject> ?? [])
      }
    if objects.isEmpty { return nil }
    var values: [ResultValue] = []
    for object in objects {
      guard let key = keys.reference(to: object, as: destination) else {
        omissions.insert(
          """
          \(DumpedRelationships.name(relationship)) to objects of \(destination.name ?? "") that no natural key names
          """
        )
        continue
      }
      values.append(key)
    }
    if !relationship.isToMany { return values.first }
    return .list(relationship.isOrdered ? values : values.sorted { $0.plainText < $1.plainText })
  }

  static func quoted(_ text: String) throws -> String { try Self.text(.text(text)) }

  private static func text(_ value: ResultValue) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
