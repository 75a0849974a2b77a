import CoreData

/// The links of relationships of many to many that the records of a run state, from either side.
///
/// A relationship's new value combines its own record with the records of its other side: a list of
/// one side does not remove links that the other side states.
struct SharedLinks {
  /// A record that states a link of an object.
  struct Statement {
    /// The object of the record, at the other end of the link.
    let object: NSManagedObject
    /// The number of the record.
    let record: Int
  }

  /// The other side's statements about a relationship of an object.
  struct Statements {
    var added: [Statement] = []
    var removed: [Statement] = []
  }

  private var known: Set<ObjectIdentifier> = []
  private var sides: Set<RelationshipSide> = []
  /// True if a relationship is set from both sides, which few seeds do.
  private var isAnyStatedTwice = false
  private var statements: [RelationshipEnd: Statements] = [:]

  /// Records which many-to-many relationships a record sets.
  /// - Returns: True if one of them is now, for the first time, set from both sides.
  @discardableResult
  mutating func recordRelationships(of record: PlannedRecord) -> Bool {
    var isStatedTwice = false
    for reference in record.references {
      let relationship = reference.relationship
      guard known.insert(ObjectIdentifier(relationship)).inserted, relationship.isManyToMany else { continue }
      sides.insert(RelationshipSide(relationship))
      if hasBothSides(of: relationship) { isStatedTwice = true }
    }
    isAnyStatedTwice = isAnyStatedTwice || isStatedTwice
    return isStatedTwice
  }

  /// Returns true when records state the links of a relationship of many to many from both sides,
  /// which are one where the relationship is its own inverse.
  func isStatedFromBothSides(_ relationship: NSRelationshipDescription) -> Bool {
    isAnyStatedTwice && hasBothSides(of: relationship)
  }

  private func hasBothSides(of relationship: NSRelationshipDescription) -> Bool {
    guard relationship.isManyToMany, let inverse = relationship.inverseRelationship else { return false }
    return sides.contains(RelationshipSide(relationship)) && sides.contains(RelationshipSide(inverse))
  }

  /// Adds a record's statements about the links of an object.
  mutating func add(
    _ members: [NSManagedObject],
    removing removed: [NSManagedObject],
    to relationship: NSRelationshipDescription,
    of object: NSManagedObject,
    record: Int
  ) {
    guard let inverse = relationship.inverseRelationship?.name else { return }
    let statement = Statement(object: object, record: record)
    for member in members {
      let end = RelationshipEnd(member, relationship: inverse)
      statements[end, default: Statements()].added.append(statement)
    }
    for member in removed {
      let end = RelationshipEnd(member, relationship: inverse)
      statements[end, default: Statements()].removed.append(statement)
    }
  }

  /// The other side's statements about a relationship of an object.
  func statements(of relationship: NSRelationshipDescription, of object: NSManagedObject) -> Statements {
    statements[RelationshipEnd(object, relationship: relationship.name)] ?? Statements()
  }

  /// The other side's statement that contradicts an object's: one of them removes a link, and the other one has it.
  func contradiction(
    stating members: [NSManagedObject],
    removing removed: [NSManagedObject],
    for relationship: NSRelationshipDescription,
    of object: NSManagedObject
  ) -> Statement? {
    let others = statements(of: relationship, of: object)
    if !others.removed.isEmpty {
      let stated = Set(members.map(ObjectIdentifier.init))
      if let other = others.removed.first(where: { stated.contains(ObjectIdentifier($0.object)) }) {
        return other
      }
    }
    guard !others.added.isEmpty, !removed.isEmpty else { return nil }
    let taken = Set(removed.map(ObjectIdentifier.init))
    return others.added.first { taken.contains(ObjectIdentifier($0.object)) }
  }
}
