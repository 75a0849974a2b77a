import CoreData
import Foundation

/// The choice of the side from which each relationship is written: one says both.
///
/// A relationship that is part of a natural key is written from the side of the key, since a record
/// without it would be of no object in particular. Where its inverse is ordered, both sides are
/// written: only the other one says the order.
struct DumpedRelationships {
  /// The relationships that are written, as `Entity.name` of the entity that declares them.
  private var written: Set<String> = []
  /// What one-to-one relationships lead to where the other side alone says so, as in some stores of Apple's
  /// applications; by the object that the record is of, and the relationship's name.
  private var toldByOthers: [NSManagedObjectID: [String: NSManagedObject]] = [:]
  /// The links of an object that lead to one which leads elsewhere, in words.
  private(set) var contradictions: [NSManagedObjectID: [String]] = [:]

  init(_ entities: [NSEntityDescription], _ keys: DumpedKeys) {
    for entity in entities {
      for (_, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
      where !relationship.isTransient {
        let sides = [relationship, relationship.inverseRelationship].compactMap(\.self)
        written.formUnion(Self.chosen(sides, keys).map(Self.name))
      }
      written.formUnion(Self.ofKeys(of: entity, keys).map(Self.name))
    }
  }

  /// The relationships that are, or may be, part of the entity's natural key, whichever objects are
  /// dumped.
  private static func ofKeys(of entity: NSEntityDescription, _ keys: DumpedKeys)
    -> [NSRelationshipDescription]
  {
    let constraints = sequence(first: entity, next: \.superentity).flatMap(\.uniquenessConstraints)
    var names = constraints.flatMap { $0.map { ($0 as? NSPropertyDescription)?.name ?? $0 as? String ?? "" } }
    names += SeedAnnotations.identityAttributes(of: entity) ?? []
    names += keys.key(of: entity)?.names ?? []
    return Set(names).compactMap { entity.relationshipsByName[$0] }.filter { !$0.isToMany && !$0.isTransient }
  }

  /// The objects that the record of an object refers to, by relationship; those of ordered
  /// relationships in order.
  func written(of object: NSManagedObject) -> [(
    relationship: NSRelationshipDescription, objects: [NSManagedObject]
  )] {
    object.entity.relationshipsByName.sorted { $0.key < $1.key }.compactMap { name, relationship in
      guard isWritten(relationship) else { return nil }
      let told = toldByOthers[object.objectID]?[name].map { [$0] } ?? []
      return (relationship, told.isEmpty ? relationship.destinations(of: object) : told)
    }
  }

  /// Takes in the one-to-one links of which one side alone has a value, and it is not the side that is written.
  mutating func addLinksOfOneSide(among objects: [NSManagedObject]) {
    let all = Set(objects)
    for object in objects {
      for (_, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
      where !relationship.isToMany && !isWritten(relationship) {
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany, isWritten(inverse),
          let owner = relationship.destinations(of: object).first, all.contains(owner)
        else { continue }
        if inverse.destinations(of: owner).isEmpty, toldByOthers[owner.objectID]?[inverse.name] == nil {
          toldByOthers[owner.objectID, default: [:]][inverse.name] = object
        } else if inverse.destinations(of: owner).first != object {
          contradictions[object.objectID, default: []].append(
            "\(RecordWriter.words(for: object)), \(relationship.name): it leads to \(RecordWriter.words(for: owner)), which leads to another object"
          )
        }
      }
    }
  }

  func isWritten(_ relationship: NSRelationshipDescription) -> Bool {
    written.contains(Self.name(relationship))
  }

  /// An order can only be said where it is; else a single reference is shorter than a list.
  private static func chosen(_ sides: [NSRelationshipDescription], _ keys: DumpedKeys)
    -> [NSRelationshipDescription]
  {
    let ordered = sides.filter(\.isOrdered)
    if !ordered.isEmpty { return ordered }
    let inKeys = sides.filter { side in keys.key(of: side.entity)?.names.contains(side.name) ?? false }
    if !inKeys.isEmpty { return inKeys }
    let keyed = sides.filter { $0.destinationEntity.flatMap { keys.key(of: $0) } != nil }
    let best = (keyed.isEmpty ? sides : keyed).min { rank($0) < rank($1) }
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
