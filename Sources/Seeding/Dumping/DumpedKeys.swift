import CoreData
import Foundation

/// The natural keys by which a dump names objects: the model's keys, if they distinguish the objects.
struct DumpedKeys {
  /// Natural keys that are not the model's, for the header of the seed.
  private(set) var declared: [String: [String]] = [:]
  private var keys: [String: NaturalKey] = [:]

  /// - Parameters:
  ///   - entities: All of the model.
  ///   - objects: All of the store, by the names of their entities.
  init(entities: [NSEntityDescription], objects: [String: [NSManagedObject]]) {
    var without: Set<String> = []
    repeat {
      declare(entities, without: without)
      let before = without.count
      for entity in entities {
        guard let name = entity.name, !without.contains(name) else { continue }
        let isUnsound = declared[name] != nil && keys[name] == nil
        if isUnsound || !tellsApart(entity.family.flatMap { objects[$0.name ?? ""] ?? [] }, as: entity) {
          without.insert(name)
        }
      }
      if without.count == before { return }
    } while true
  }

  func key(of entity: NSEntityDescription) -> NaturalKey? { keys[entity.name ?? ""] }

  /// The value by which a reference names an object as one of an entity; nil if the object does not have a natural key.
  func reference(to object: NSManagedObject, as entity: NSEntityDescription) -> ResultValue? {
    key(of: entity).flatMap { Self.value(of: $0, object: object) }
  }

  private mutating func declare(_ entities: [NSEntityDescription], without: Set<String>) {
    declared = [:]
    for entity in entities {
      guard let name = entity.name else { continue }
      if without.contains(name) {
        declared[name] = []
      } else if sequence(first: entity, next: \.superentity).contains(where: {
        without.contains($0.name ?? "")
      }) {
        // A key that is declared for a superentity applies to its subentities, too.
        declared[name] = NaturalKeys().key(of: entity)?.names ?? []
      }
    }
    let naturalKeys = NaturalKeys(declared: declared)
    keys = [:]
    for entity in entities { keys[entity.name ?? ""] = naturalKeys.key(of: entity) }
  }

  /// Returns true if no two of the objects have the same key, and if every part of every key can be written.
  private func tellsApart(_ objects: [NSManagedObject], as entity: NSEntityDescription) -> Bool {
    guard let key = key(of: entity) else { return true }
    var known: Set<ResultValue> = []
    for object in objects {
      if let value = Self.value(of: key, object: object) {
        guard known.insert(value).inserted else { return false }
      } else if Self.hasUnnamedPart(key, object: object) {
        return false
      }
    }
    return true
  }

  /// Returns true if a relationship of the key leads to an object that does not have a key itself.
  private static func hasUnnamedPart(_ key: NaturalKey, object: NSManagedObject) -> Bool {
    key.parts.contains { part in
      guard case .relationship(let relationship, let inner) = part,
        let destination = object.value(forKey: relationship.name) as? NSManagedObject
      else { return false }
      return value(of: inner, object: destination) == nil
    }
  }

  static func value(of key: NaturalKey, object: NSManagedObject) -> ResultValue? {
    var fields: [String: ResultValue] = [:]
    for part in key.parts {
      guard let value = value(of: part, object: object) else { return nil }
      fields[part.property.name] = value
    }
    if fields.count == 1, case .attribute(let attribute) = key.parts[0] { return fields[attribute.name] }
    return .fields(fields)
  }

  private static func value(of part: NaturalKey.Part, object: NSManagedObject) -> ResultValue? {
    let value = object.value(forKey: part.property.name)
    switch part {
    case .attribute(let attribute):
      return value.flatMap { SeedWords.value($0, of: attribute) }
    case .relationship(_, let key):
      return (value as? NSManagedObject).flatMap { Self.value(of: key, object: $0) }
    }
  }
}
