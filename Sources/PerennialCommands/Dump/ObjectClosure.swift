import CoreData
import Foundation
import Seeding

/// Objects and all that they depend on: what their records refer to, what is deleted along with
/// them, what their entities do not allow to be missing, and what those depend on.
struct ObjectClosure {
  private let relationships: DumpedRelationships

  init(_ relationships: DumpedRelationships) {
    self.relationships = relationships
  }

  func objects(from roots: some Sequence<NSManagedObject>) -> Set<NSManagedObject> {
    var found = Set(roots)
    var waiting = Array(found)
    while let object = waiting.popLast() {
      for other in dependencies(of: object) where found.insert(other).inserted { waiting.append(other) }
    }
    return found
  }

  private func dependencies(of object: NSManagedObject) -> [NSManagedObject] {
    let needed = object.entity.relationshipsByName.values.filter {
      !$0.isTransient && ($0.deleteRule == .cascadeDeleteRule || !$0.isOptional)
    }
    return relationships.written(of: object).flatMap(\.objects)
      + needed.flatMap { DumpedRelationships.destinations(of: $0, object) }
  }
}
