import CoreData

/// The claims that records of a run make on relationships, which are kept to find contradictions: two parents that
/// claim one child, or a list without an object whose record claims to belong to it.
///
/// A record that sets a relationship claims all of it. If the other side is a to-one relationship,
/// the record also claims that side of each member. Setting the other side may not change a claim.
struct RelationshipClaims {
  /// An earlier record with a different claim on one of the objects.
  struct Contradiction {
    /// The object of the claim, and the name of its relationship.
    let object: NSManagedObject
    let relationship: String
    /// The record's number in the claims; nil if the record is not in memory any more.
    let record: Int?
  }

  /// What the model and the records of the run say about a relationship.
  private struct Facts {
    /// The other side that could contradict it. Statements from both sides of a many-to-many relationship are combined
    /// instead.
    let inverse: NSRelationshipDescription?
    let inverseName: String
    /// True if a member can be in one list only.
    let isExclusive: Bool
    /// True if other records may change the relationship of an object: records of its other side, or records with
    /// lists whose objects can be in one list only.
    var isSaidFromBothSides = false

    init(_ relationship: NSRelationshipDescription) {
      inverse = relationship.isManyToMany ? nil : relationship.inverseRelationship
      inverseName = inverse?.name ?? ""
      isExclusive = inverse.map { !$0.isToMany } ?? false
    }
  }

  /// The names of all relationships that records have set. If only one side of a relationship is
  /// among them, nothing can contradict it.
  private var said: Set<String> = []
  /// Those of the relationships whose names have been added.
  private var facts: [ObjectIdentifier: Facts] = [:]
  /// The number of the record that made the claim.
  private var records: [RelationshipEnd: Int] = [:]
  #if !canImport(Darwin)
    /// The claims on objects that are not in memory any more, by their primary keys, in the order of `places`.
    private var recorded: [PrimaryKeys] = []
    private var places: [RelationshipSide: Int] = [:]
    private var placesOfRelationships: [ObjectIdentifier: Int] = [:]
  #endif

  /// Records the relationships that a record sets, before any of them is written.
  mutating func recordRelationships(of record: PlannedRecord) {
    for reference in record.references where facts[ObjectIdentifier(reference.relationship)] == nil {
      facts[ObjectIdentifier(reference.relationship)] = Facts(reference.relationship)
      said.insert(reference.relationship.name)
      for (id, known) in facts {
        // Members of a list are claimed by it, where each can be in one.
        facts[id]?.isSaidFromBothSides = known.inverse != nil && (known.isExclusive || said.contains(known.inverseName))
      }
    }
  }

  /// The facts of a relationship that records of the run set.
  private func facts(of relationship: NSRelationshipDescription) -> Facts? { facts[ObjectIdentifier(relationship)] }

  /// Returns true if other records may change a relationship of an object: records of its other
  /// side, or records with lists whose objects can be in one list only.
  func isSaidFromBothSides(_ relationship: NSRelationshipDescription) -> Bool {
    facts(of: relationship)?.isSaidFromBothSides ?? false
  }

  /// The claim that contradicts a relationship which is to be given these members; nil where none does.
  func contradiction(
    setting members: [NSManagedObject],
    for relationship: NSRelationshipDescription,
    of object: NSManagedObject
  ) -> Contradiction? {
    guard let facts = facts(of: relationship), facts.isSaidFromBothSides else { return nil }
    let inverse = facts.inverseName
    let present = ObjectWriting.members(relationship, of: object)
    let before = Set(present.map(ObjectIdentifier.init))
    let after = Set(members.map(ObjectIdentifier.init))
    for object in present where !after.contains(ObjectIdentifier(object)) {
      if let contradiction = claim(of: object, relationship: inverse) { return contradiction }
    }
    for object in members where !before.contains(ObjectIdentifier(object)) {
      if let contradiction = claim(of: object, relationship: inverse) { return contradiction }
    }
    return nil
  }

  private func claim(of object: NSManagedObject, relationship: String) -> Contradiction? {
    if let record = records[RelationshipEnd(object, relationship: relationship)] {
      return Contradiction(object: object, relationship: relationship, record: record)
    }
    #if !canImport(Darwin)
      if !recorded.isEmpty,
        let place = places[RelationshipSide(entity: object.entity, relationship: relationship)],
        let key = NSManagedObjectID.primaryKey(of: object), recorded[place].contains(key)
      {
        return Contradiction(object: object, relationship: relationship, record: nil)
      }
    #endif
    return nil
  }

  /// Adds the claims of a record.
  /// - Parameter isWhole: True when it has given all members, and has not only added these.
  mutating func add(
    _ members: [NSManagedObject],
    for relationship: NSRelationshipDescription,
    of object: NSManagedObject,
    isWhole: Bool,
    record: Int
  ) {
    guard let facts = facts(of: relationship), facts.isSaidFromBothSides else { return }
    if isWhole { records[RelationshipEnd(object, relationship: relationship.name)] = record }
    guard facts.isExclusive else { return }
    for member in members { records[RelationshipEnd(member, relationship: facts.inverseName)] = record }
  }

  #if !canImport(Darwin)
    /// Records the claims of a record on objects that may be released.
    /// - Parameters:
    ///   - primaryKey: of the record's object.
    ///   - isWhole: True when it has given all members, and has not only added these.
    ///   - members: Gives the members of the relationship.
    mutating func record(
      _ relationship: NSRelationshipDescription,
      ofObject primaryKey: Int64,
      isWhole: Bool,
      members: () -> [NSManagedObject]
    ) {
      guard let facts = facts(of: relationship), let inverse = facts.inverse else { return }
      if isWhole { recorded[place(of: relationship)].insert(primaryKey) }
      guard facts.isExclusive else { return }
      for key in members().compactMap(NSManagedObjectID.primaryKey) { recorded[place(of: inverse)].insert(key) }
    }

    private mutating func place(of relationship: NSRelationshipDescription) -> Int {
      if let known = placesOfRelationships[ObjectIdentifier(relationship)] { return known }
      let slot = RelationshipSide(relationship)
      let place = places[slot] ?? recorded.count
      if place == recorded.count { recorded.append(PrimaryKeys()) }
      places[slot] = place
      placesOfRelationships[ObjectIdentifier(relationship)] = place
      return place
    }

    /// Removes the claims on objects in memory, which have been recorded by primary key or were not saved.
    mutating func forgetRecords() { records.removeAll(keepingCapacity: true) }
  #endif
}
