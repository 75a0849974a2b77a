import CoreData
import Foundation
import Seeding
import StoreExploration

/// The objects that a deletion would delete according to the model's rules, in the staged state. Used on the
/// queue of the session's context.
struct StagedDeletion {
  private let state: EditingState
  /// The object and the objects that cascade rules also delete, in the order of their distance.
  private let objects: [NSManagedObject]
  private let members: Set<NSManagedObject>

  /// Follows the cascade rules from an object.
  ///
  /// - Parameter most: the greatest number of objects that the deletion may delete.
  /// - Throws: `tooManyObjects`.
  init(of object: NSManagedObject, in state: EditingState, most: Int) throws {
    var objects = [object]
    var members: Set<NSManagedObject> = [object]
    var next = 0
    while next < objects.count {
      let source = objects[next]
      next += 1
      for relationship in Self.relationships(of: source) where relationship.deleteRule == .cascadeDeleteRule {
        for destination in relationship.destinations(of: source)
        where !destination.isDeleted && members.insert(destination).inserted {
          objects.append(destination)
        }
      }
      if objects.count > most { throw EditingSession.tooManyTouched }
    }
    self.state = state
    self.objects = objects
    self.members = members
  }

  /// The rules that forbid the deletion. Empty if it is allowed.
  func refusals() -> [DeletionRefusal] {
    var refusals: [DeletionRefusal] = []
    for object in objects {
      for relationship in Self.relationships(of: object) {
        guard let rule = Self.rule(of: relationship) else { continue }
        let count = relationship.destinations(of: object).count { !$0.isDeleted && !members.contains($0) }
        if count == 0 { continue }
        refusals.append(
          DeletionRefusal(
            object: state.link(object),
            relationship: "\(object.entity.name ?? "").\(relationship.name)",
            count: count,
            rule: rule
          )
        )
      }
    }
    return refusals
  }

  private static func relationships(of object: NSManagedObject) -> [NSRelationshipDescription] {
    object.entity.relationshipsByName.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The rule that forbids deletions while the relationship has remaining objects; `nil` if no rule does.
  private static func rule(of relationship: NSRelationshipDescription) -> DeletionRefusal.Rule? {
    switch relationship.deleteRule {
    case .denyDeleteRule: return .deny
    case .nullifyDeleteRule:
      guard let inverse = relationship.inverseRelationship, !inverse.isToMany, !inverse.isOptional else { return nil }
      return .requiredInverse("\(inverse.entity.name ?? "").\(inverse.name)")
    default: return nil
    }
  }
}
