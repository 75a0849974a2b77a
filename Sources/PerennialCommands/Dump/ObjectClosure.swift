import CoreData
import Foundation
import Seeding

/// An object and all that it depends on: what its record refers to, what is deleted along with it, and what those depend
/// on.
struct ObjectClosure {
  private let relationships: DumpedRelationships

  init(_ relationships: DumpedRelationships) {
    self.relationships = relationships
  }

  /// The objects by the names of their entities.
  func objects(
    from root: StoreDump.Root,
    in all: [String: [NSManagedObject]]
  ) throws -> [String: [NSManagedObject]] {
    var waiting = [try object(root, in: all)]
    var found = Set(waiting)
    while let object = waiting.popLast() {
      for other in dependencies(of: object) where found.insert(other).inserted { waiting.append(other) }
    }
    return all.mapValues { $0.filter(found.contains) }
  }

  private func dependencies(of object: NSManagedObject) -> [NSManagedObject] {
    let owned = object.entity.relationshipsByName.values.filter { $0.deleteRule == .cascadeDeleteRule }
    return relationships.written(of: object).flatMap(\.objects)
      + owned.flatMap { DumpedRelationships.destinations(of: $0, object) }
  }

  private func object(_ root: StoreDump.Root, in all: [String: [NSManagedObject]]) throws -> NSManagedObject {
    let name = root.entity.name ?? ""
    guard let key = NaturalKeys().key(of: root.entity) else {
      throw CommandFailure("\(name) has no natural key to name an object by; dump the whole store")
    }
    guard root.key.count == key.names.count else {
      throw CommandFailure(
        "the natural key of \(name) is its \(key.name); give \(key.names.count) values for it"
      )
    }
    let found = all.values.flatMap(\.self).filter { object in
      guard object.entity.isKindOf(entity: root.entity) else { return false }
      switch DumpedKeys.value(of: key, object) {
      case .fields(let fields): return key.names.map { fields[$0]?.plainText } == root.key
      case let value?: return [value.plainText] == root.key
      case nil: return false
      }
    }
    if let object = found.first, found.count == 1 { return object }
    let words = "\(name) with the \(key.name) \(root.key.joined(separator: ", "))"
    throw CommandFailure(found.isEmpty ? "there is no \(words)" : "there are \(found.count) \(words)")
  }
}
