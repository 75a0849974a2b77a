import CoreData
import Foundation
import Seeding

/// The natural keys of the objects that are dumped: which of them name one object alone.
struct DumpedKeys {
  /// How many objects of an entity or of its subentities have a key, by entity.
  private var counts: [String: [ResultValue: Int]] = [:]
  /// Entities whose records would be taken for one another, in words.
  private(set) var ambiguities: [String] = []

  init(_ objects: [String: [NSManagedObject]]) {
    for (name, all) in objects.sorted(by: { $0.key < $1.key }) {
      var own: [ResultValue: Int] = [:]
      for object in all {
        for ancestor in sequence(first: object.entity, next: \.superentity) {
          guard let value = Self.key(of: object, as: ancestor) else { continue }
          counts[ancestor.name ?? "", default: [:]][value, default: 0] += 1
          if ancestor.name == name { own[value, default: 0] += 1 }
        }
      }
      if let twice = own.filter({ $0.value > 1 }).keys.map(\.plainText).min(), let entity = all.first?.entity,
        let key = NaturalKeys().key(of: entity)
      {
        ambiguities.append(
          """
          \(name): several objects have the \(key.name) "\(twice)", by which a seed tells them apart (the user info \
          identityAttributes of the entity can name another attribute)
          """
        )
      }
    }
  }

  /// The key that a reference to an object by an entity names it by; nil when it would name none or several.
  func reference(to object: NSManagedObject, as entity: NSEntityDescription) -> ResultValue? {
    guard let key = Self.key(of: object, as: entity), counts[entity.name ?? ""]?[key] == 1 else { return nil }
    return key
  }

  private static func key(of object: NSManagedObject, as entity: NSEntityDescription) -> ResultValue? {
    guard let key = NaturalKeys().key(of: entity), let attribute = entity.attributesByName[key.name],
      let value = object.value(forKey: key.name)
    else { return nil }
    return SeedWords.value(value, of: attribute)
  }
}
