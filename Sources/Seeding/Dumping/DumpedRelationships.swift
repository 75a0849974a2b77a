import CoreData
import Foundation

/// Chooses the side from which each relationship is written, because one side is enough.
///
/// A relationship that is part of a natural key is written from the side of the key, because a record without it would
/// not identify an object. If its inverse is ordered, both sides are written, because only the inverse has the order.
///
/// A dump of chosen objects follows relationships from them (``DumpScope``), and writes links among its own
/// objects alone.
struct DumpedRelationships {
  /// The relationships that are written, as `Entity.name` of the entity that declares them.
  private var written: Set<String> = []
  /// The destinations of one-to-one relationships that only the other side has, as in some stores
  /// of Apple's applications, by the record's object and the relationship's name.
  private var toldByOthers: [NSManagedObjectID: [String: NSManagedObject]] = [:]
  /// The relationships that are part of natural keys, as `written` has them.
  private var ofKeys: Set<String> = []
  /// The way from the chosen objects; `nil` for a dump of all objects.
  private var scope: DumpScope?
  /// The objects of the dump, where it has links among its own objects alone.
  private var members: Set<NSManagedObject>?
  /// The destinations of written relationships that are not followed, as the objects at the other side have them.
  private var linksBack: [NSManagedObjectID: [String: [NSManagedObject]]] = [:]
  /// The links of an object to objects whose inverse links to another object, in words.
  private(set) var contradictions: [NSManagedObjectID: [String]] = [:]

  init(entities: [NSEntityDescription], keys: DumpedKeys) {
    for entity in entities {
      for (_, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
      where !relationship.isTransient {
        let sides = [relationship, relationship.inverseRelationship].compactMap(\.self)
        written.formUnion(Self.chosen(sides, keys: keys).map(Self.name))
      }
      ofKeys.formUnion(Self.ofKeys(of: entity, keys: keys).map(Self.name))
    }
    written.formUnion(ofKeys)
  }

  /// The relationships that are, or may be, part of the entity's natural key, whichever objects are dumped.
  private static func ofKeys(of entity: NSEntityDescription, keys: DumpedKeys)
    -> [NSRelationshipDescription]
  {
    let constraints = sequence(first: entity, next: \.superentity).flatMap(\.uniquenessConstraints)
    var names = constraints.flatMap { $0.map { ($0 as? NSPropertyDescription)?.name ?? $0 as? String ?? "" } }
    names += SeedAnnotations.identityAttributes(of: entity) ?? []
    names += keys.key(of: entity)?.names ?? []
    return Set(names).compactMap { entity.relationshipsByName[$0] }.filter { !$0.isToMany && !$0.isTransient }
  }

  /// The objects that the record of an object refers to, by relationship; those of ordered relationships in order.
  func written(of object: NSManagedObject) -> [(relationship: NSRelationshipDescription, objects: [NSManagedObject])] {
    object.entity.relationshipsByName.sorted { $0.key < $1.key }.compactMap { name, relationship in
      guard isWritten(relationship) else { return nil }
      guard let members else { return (relationship, destinations(of: object, relationship: relationship)) }
      // The objects that a category has need not be read where the dump has few of them.
      if !relationship.isOrdered, !isFollowed(relationship) {
        return (relationship, linksBack[object.objectID]?[name] ?? [])
      }
      return (relationship, destinations(of: object, relationship: relationship).filter(members.contains))
    }
  }

  /// The objects that a relationship leads to, from either side of a one-to-one link.
  func destinations(of object: NSManagedObject, relationship: NSRelationshipDescription)
    -> [NSManagedObject]
  {
    toldByOthers[object.objectID]?[relationship.name].map { [$0] } ?? relationship.destinations(of: object)
  }

  /// Takes in the one-to-one links of which one side alone has a value.
  mutating func addLinksOfOneSide(among objects: some Sequence<NSManagedObject>) {
    let all = Set(objects)
    for object in all {
      for (_, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
      where !relationship.isToMany && !relationship.isTransient {
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany,
          let owner = relationship.destinations(of: object).first, all.contains(owner)
        else { continue }
        let others = inverse.destinations(of: owner)
        if others.isEmpty, toldByOthers[owner.objectID]?[inverse.name] == nil {
          toldByOthers[owner.objectID, default: [:]][inverse.name] = object
        } else if !isWritten(relationship), isWritten(inverse), others.first != object {
          contradictions[object.objectID, default: []].append(
            "\(RecordWriter.words(for: object)), \(relationship.name): it leads to \(RecordWriter.words(for: owner)), which leads to another object"
          )
        }
      }
    }
  }

  // MARK: - Chosen objects

  /// Chooses the relationships that are followed from objects, by entity.
  /// - Parameter references: With `keys`, no other object is in the dump, so that the records of these
  ///   entities write their own side of each link.
  mutating func start(at entities: Set<NSEntityDescription>, references: StoreDump.References) {
    if references == .follow {
      scope = DumpScope(from: entities, isWritten: isWritten)
      return
    }
    for relationship in entities.flatMap(\.relationshipsByName.values) where !relationship.isTransient {
      let isListOfOwned = relationship.isToMany && relationship.inverseRelationship?.isToMany == false
      if !isListOfOwned { written.insert(Self.name(relationship)) }
    }
  }

  /// Leaves out the links to objects that the dump does not have.
  mutating func restrict(to objects: Set<NSManagedObject>) {
    members = objects
    for object in objects {
      for relationship in object.entity.relationshipsByName.values where !relationship.isTransient {
        guard let inverse = relationship.inverseRelationship, isWritten(inverse), !inverse.isOrdered,
          !isFollowed(inverse)
        else { continue }
        for other in destinations(of: object, relationship: relationship) where objects.contains(other) {
          linksBack[other.objectID, default: [:]][inverse.name, default: []].append(object)
        }
      }
    }
  }

  /// True for a relationship that is followed from each object that has it.
  /// - Parameter isChosen: True to ask for the chosen objects alone, from which more is followed.
  func isFollowed(_ relationship: NSRelationshipDescription, isChosen: Bool = false) -> Bool {
    let isWritten = isWritten(relationship)
    return scope?.follows(relationship, isWritten: isWritten, isChosen: isChosen)
      ?? (isWritten || DumpScope.isNeeded(relationship))
  }

  /// True if an object cannot be in a store without the relationship, or cannot be distinguished
  /// from other objects without it.
  func isRequired(_ relationship: NSRelationshipDescription) -> Bool {
    !relationship.isTransient && (!relationship.isOptional || ofKeys.contains(Self.name(relationship)))
  }

  func isWritten(_ relationship: NSRelationshipDescription) -> Bool { written.contains(Self.name(relationship)) }

  /// An order can only be said where it is; else a single reference is shorter than a list.
  private static func chosen(_ sides: [NSRelationshipDescription], keys: DumpedKeys)
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
    "\(declaringEntity(of: relationship).name ?? "").\(relationship.name)"
  }

  /// The entity that declares a relationship, which others may inherit.
  static func declaringEntity(of relationship: NSRelationshipDescription) -> NSEntityDescription {
    sequence(first: relationship.entity, next: \.superentity)
      .reduce(relationship.entity) { $1.relationshipsByName[relationship.name] == nil ? $0 : $1 }
  }
}
