import CoreData
import Foundation
import Seeding

/// From which side each relationship is written: one says both.
struct DumpedRelationships {
  /// The relationships that are written, as `Entity.name` of the entity that declares them.
  private var written: Set<String> = []

  init(_ entities: [NSEntityDescription], _ keys: DumpedKeys) {
    for entity in entities {
      for (_, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
      where !relationship.isTransient {
        let sides = [relationship, relationship.inverseRelationship].compactMap(\.self)
        written.formUnion(Self.chosen(sides).map(Self.name))
      }
    }
  }

  func isWritten(_ relationship: NSRelationshipDescription) -> Bool {
    written.contains(Self.name(relationship))
  }

  /// An order can only be said where it is; else a single reference is shorter than a list.
  private static func chosen(_ sides: [NSRelationshipDescription]) -> [NSRelationshipDescription] {
    let ordered = sides.filter(\.isOrdered)
    if !ordered.isEmpty { return ordered }
    let sayable = sides.filter { $0.destinationEntity.flatMap { NaturalKeys().key(of: $0) } != nil }
    let best = (sayable.isEmpty ? sides : sayable).min { rank($0) < rank($1) }
    return best.map { [$0] } ?? []
  }

  private static func rank(_ relationship: NSRelationshipDescription) -> (Int, String) {
    (relationship.isToMany ? 1 : 0, name(relationship))
  }

  static func name(_ relationship: NSRelationshipDescription) -> String {
    let declaring = sequence(first: relationship.entity, next: \.superentity)
      .reduce(relationship.entity) { $1.relationshipsByName[relationship.name] == nil ? $0 : $1 }
    return "\(declaring.name ?? "").\(relationship.name)"
  }
}
