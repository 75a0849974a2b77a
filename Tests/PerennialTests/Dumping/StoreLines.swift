import CoreData
import Foundation

/// The contents of a store as text, to compare two stores.
enum StoreLines {
  /// A line for each object: its values, and the values of its related objects.
  static func lines(of coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      var lines: [String] = []
      for entity in coordinator.managedObjectModel.entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        for object in try context.fetch(request) {
          let relations = entity.relationshipsByName.sorted { $0.key < $1.key }.map { name, relationship in
            let others = destinations(object, relationship).map(attributes)
            return "\(name): \(relationship.isOrdered ? others : others.sorted())"
          }
          lines.append("\(attributes(of: object)) \(relations)")
        }
      }
      return lines.sorted()
    }
  }

  private static func attributes(of object: NSManagedObject) -> String {
    let values = object.entity.attributesByName.filter {
      !$1.isTransient && !($1 is NSDerivedAttributeDescription)
    }
    .sorted { $0.key < $1.key }
    .map { name, _ in "\(name)=\(object.value(forKey: name).map(words) ?? "")" }
    return "\(object.entity.name ?? "") \(values)"
  }

  private static func destinations(_ object: NSManagedObject, _ relationship: NSRelationshipDescription)
    -> [NSManagedObject]
  {
    switch object.value(forKey: relationship.name) {
    case let one as NSManagedObject: [one]
    case let ordered as NSOrderedSet: ordered.array as? [NSManagedObject] ?? []
    case let set as Set<NSManagedObject>: Array(set)
    default: []
    }
  }

  /// A value as text, in which objects have their keys and sets are sorted.
  private static func words(_ value: Any) -> String {
    switch value {
    case let list as [Any]: "\(list.map(words))"
    case let fields as [String: Any]:
      "\(fields.filter { !($1 is NSNull) }.sorted { $0.key < $1.key }.map { "\($0): \(words($1))" })"
    case let set as Set<AnyHashable>: "set \(set.map { words($0.base) }.sorted())"
    default: "\(value)"
    }
  }

  /// The first lines that differ, for the message of a failure.
  static func difference(_ one: [String], _ other: [String]) -> String? {
    if one == other { return nil }
    let pair = zip(one, other).first { $0 != $1 }
    return "\(pair?.0 ?? "\(one.count) lines")\n\(pair?.1 ?? "\(other.count) lines")"
  }

  static func difference(_ one: String, _ other: String) -> String? {
    difference(one.components(separatedBy: "\n"), other.components(separatedBy: "\n"))
  }
}
