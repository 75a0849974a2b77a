import CoreData
import Foundation

/// Finds the objects of a store that differ from seeds. Used on the queue of the writer's context.
///
/// Each record without a natural key has made a new object. It is matched with an object of the store that has the
/// same values, as far as the record gives them.
struct SeedTwins {
  private let writer: SeedWriter
  /// Objects of the store by the new ones that are like them.
  private var twins: [NSManagedObject: NSManagedObject] = [:]
  /// The first of the objects of the store that are like each other, by each of them.
  private var firsts: [NSManagedObject: NSManagedObject] = [:]
  /// The objects of the seeds' entities that no record describes.
  private(set) var surplus: [NSManagedObject] = []

  init(_ writer: SeedWriter) throws {
    self.writer = writer
    surplus = try unrecorded()
    match()
  }

  /// The object of the store that a new object is like.
  func twin(of object: NSManagedObject) -> NSManagedObject? { twins[object] }

  /// A representative of the store's objects that are alike, whose positions in an order cannot be distinguished.
  func firstLike(_ object: NSManagedObject) -> NSManagedObject { firsts[object] ?? object }

  private func unrecorded() throws -> [NSManagedObject] {
    let recorded = Set(writer.objects.compactMap(\.self))
    return try writer.entities.sorted { $0.key < $1.key }.flatMap { _, entity in
      try writer.context.fetch(.exactly(entity)).filter { !$0.isInserted && !recorded.contains($0) }
    }
  }

  private mutating func match() {
    let stored = Dictionary(grouping: surplus) { $0.entity.name ?? "" }
    // By the entity and the properties that a record gives, and by their values.
    var candidates: [[String]: [String: [NSManagedObject]]] = [:]
    var taken: Set<NSManagedObject> = []
    for (record, object) in zip(writer.plan.records, writer.objects) {
      guard record.naturalKey == nil, let object, object.isInserted, twins[object] == nil else { continue }
      let names = Self.properties(of: record, object: object)
      guard let content = content(of: object, names: names, isStored: false) else { continue }
      let kind = [record.shape.name] + names
      if candidates[kind] == nil {
        var found: [String: [NSManagedObject]] = [:]
        for other in stored[record.shape.name] ?? [] {
          if let content = self.content(of: other, names: names, isStored: true) {
            found[content, default: []].append(other)
          }
        }
        for alike in found.values {
          for other in alike { firsts[other] = alike[0] }
        }
        candidates[kind] = found
      }
      while let twin = candidates[kind]?[content]?.popLast() {
        guard taken.insert(twin).inserted else { continue }
        twins[object] = twin
        break
      }
    }
    surplus.removeAll(where: taken.contains)
  }

  /// The properties that the record sets, and the object that contains it.
  private static func properties(of record: PlannedRecord, object: NSManagedObject) -> [String] {
    var names = Set(record.values.map(\.attribute.name) + record.references.map(\.relationship.name))
    for (name, relationship) in object.entity.relationshipsByName
    where !relationship.isToMany && object.value(forKey: name) != nil { names.insert(name) }
    return names.sorted()
  }

  /// The values of some properties; nil if one of them cannot be expressed.
  private func content(of object: NSManagedObject, names: [String], isStored: Bool) -> String? {
    let relationships = object.entity.relationshipsByName
    guard var parts = attributes(of: object, names: names).map({ [$0] }) else { return nil }
    for name in names {
      guard let relationship = relationships[name] else { continue }
      let value = isStored ? object.committedValues(forKeys: [name])[name] : object.value(forKey: name)
      var others: [String] = []
      for other in RelatedObjects.of(value) {
        let key = writer.plan.naturalKeys.words(of: other)
        guard let words = key ?? attributes(of: other, names: Array(other.entity.attributesByName.keys))
        else { return nil }
        others.append("\(other.entity.name ?? "") \(words)")
      }
      parts += relationship.isOrdered ? others : others.sorted()
      parts.append(name)
    }
    return parts.joined(separator: "\n")
  }

  private func attributes(of object: NSManagedObject, names: [String]) -> String? {
    var isSayable = true
    let fields = AttributeWords.fields(of: object) { _ in isSayable = false }
    guard isSayable else { return nil }
    return try? SeedJSON.text(.fields(fields.filter { names.contains($0.key) }))
  }
}

/// The objects that the value of a relationship has.
enum RelatedObjects {
  static func of(_ value: Any?) -> [NSManagedObject] {
    switch value {
    case let one as NSManagedObject: [one]
    case let ordered as NSOrderedSet: ordered.array as? [NSManagedObject] ?? []
    case let set as Set<NSManagedObject>: Array(set)
    case let set as NSSet: set.allObjects as? [NSManagedObject] ?? []
    default: []
    }
  }
}
