import CoreData
import Texts

/// The plan for a reference of a record.
struct ReferenceStep {
  /// The destinations of the relationship; for a change, the objects that are added.
  var members: [NSManagedObject] = []
  /// The objects that are removed; nil if the relationship is set as a whole.
  var removed: [NSManagedObject]?
  /// False if the object keeps its value.
  var isApplied = true
  /// The digest of the reference, for the ledger.
  var said: UInt64?
}

extension SeedWriter {
  /// Objects of the seed can be referred to from everywhere in it; what else is referred to is looked for in the store.
  mutating func findReferredObjects() throws {
    var wanted = ObjectIndex.Wanted()
    for record in plan.records {
      claims.recordRelationships(of: record)
      for reference in record.references {
        for key in reference.keys { wanted.add(key, of: reference.destination) }
      }
    }
    for destination in wanted.shapes {
      guard let key = destination.naturalKey else { continue }
      for (record, object) in zip(plan.records, objects)
      where record.shape.entity.isKindOf(entity: destination.entity) {
        guard let object, let value = record.values(for: key) else { continue }
        index.add(object, key: value, of: destination)
      }
    }
    try index.fetch(wanted)
  }

  /// Decides about all references before any of them is written, because the records of both sides
  /// may set a relationship, and because a user's changes have to be seen first.
  mutating func planReferences() throws {
    steps = Array(repeating: [], count: plan.records.count)
    objectsOfRun = Set(objects.compactMap { $0.map(ObjectIdentifier.init) })
    let places = plan.records.indices.filter { isWritten($0) }
    let standing = plan.records.indices.filter { outcomes[$0] == .standing && objects[$0] != nil }
    for place in places + standing { links.recordRelationships(of: plan.records[place]) }
    for place in standing { stateStandingLinks(of: plan.records[place], at: place) }
    let records = plan.records
    try RecordFailures.Found.check(places, number: { records[$0].number }, if: leavesOutFailures) { place in
      try planReferences(ofRecordAt: place)
    }
    try RecordFailures.Found.check(places, number: { records[$0].number }, if: leavesOutFailures) { place in
      for number in steps[place].indices { try settle(number, ofRecordAt: place) }
    }
  }

  // The closure itself would copy the writer for each record.
  private mutating func planReferences(ofRecordAt place: Int) throws {
    let record = plan.records[place]
    for reference in record.references {
      let step = try step(reference, of: record)
      referred.formUnion(step.members.lazy.map(ObjectIdentifier.init))
      steps[place].append(step)
    }
    stateLinks(of: record, at: place)
  }

  func isWritten(_ place: Int) -> Bool { outcomes[place].isWritten && objects[place] != nil }

  private func step(_ reference: PlannedRecord.Reference, of record: PlannedRecord) throws -> ReferenceStep {
    let position = record.position.with(key: reference.relationship.name)
    var step = ReferenceStep()
    step.members = try reference.targets.compactMap { target in
      let member = try object(target, of: reference.destination, at: position)
      if let member { try checkStays(member, at: position) }
      return member
    }
    step.removed = reference.removals?.compactMap { known($0, of: reference.destination) }
    return step
  }

  /// Adds what a record states of links that records of the other side state something of, too.
  private mutating func stateLinks(of record: PlannedRecord, at place: Int) {
    guard let object = objects[place] else { return }
    for (reference, step) in zip(record.references, steps[place])
    where links.isStatedFromBothSides(reference.relationship) {
      guard outcomes[place].states(reference.relationship.name, of: record) else { continue }
      links.add(
        step.members,
        removing: step.removed ?? [],
        to: reference.relationship,
        of: object,
        record: place
      )
    }
  }

  /// Adds the links that a record states of a seed which the store has already.
  private mutating func stateStandingLinks(of record: PlannedRecord, at place: Int) {
    guard let object = objects[place] else { return }
    for reference in record.references where links.isStatedFromBothSides(reference.relationship) {
      let members = reference.targets.compactMap { known($0, of: reference.destination) }
      linksOfUnchangedSeeds.add(members, removing: [], to: reference.relationship, of: object, record: place)
    }
  }

  /// Adds to a reference what the records of its other side state, and decides whether it is written.
  private mutating func settle(_ number: Int, ofRecordAt place: Int) throws {
    guard let object = objects[place] else { return }
    let record = plan.records[place]
    let reference = record.references[number]
    let relationship = reference.relationship
    var step = steps[place][number]
    var others: [NSManagedObject] = []
    if links.isStatedFromBothSides(relationship) {
      try checkLinks(step, reference: reference, of: object, place: place)
      // For additions to an existing object, the other side's records write their own statements,
      // and decide themselves whether to do so.
      if step.removed == nil || outcomes[place] == .created {
        let statements = links.statements(of: relationship, of: object)
        let stated = Set(step.members.map(ObjectIdentifier.init))
        others = statements.added.map(\.object)
        if step.removed == nil { others += standingMembers(relationship, of: object) }
        others = others.filter { !stated.contains(ObjectIdentifier($0)) }
        step.members = ObjectWriting.changing(step.members, adding: others, removing: [])
        step.removed = step.removed.map { $0 + statements.removed.map(\.object) }
      }
    }
    step.said = contents.said(reference, with: others)
    if let known = decisions[place]?[number] {
      step.isApplied = known
    } else if outcomes[place] != .created {
      step.isApplied =
        !reference.lacksOwner(step.members)
        && decide(step, reference: reference, of: object, record: record, with: others)
    }
    steps[place][number] = step
  }

  /// The members that a seed states which the store has already, and that are still there.
  private func standingMembers(_ relationship: NSRelationshipDescription, of object: NSManagedObject)
    -> [NSManagedObject]
  {
    let stated = linksOfUnchangedSeeds.statements(of: relationship, of: object).added.map(\.object)
    guard !stated.isEmpty else { return [] }
    let present = Set(ObjectWriting.members(relationship, of: object).map(ObjectIdentifier.init))
    return stated.filter { present.contains(ObjectIdentifier($0)) }
  }

  /// Decides whether a reference is written to an existing object.
  private mutating func decide(
    _ step: ReferenceStep,
    reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    record: PlannedRecord,
    with others: [NSManagedObject]
  ) -> Bool {
    if seeder.mode == .merge, step.removed == nil,
      ObjectWriting.isSame(step.members, for: reference.relationship, of: object)
    {
      return true
    }
    var update = RecordUpdate(record: record, object: object, ledger: ledger, contents: contents)
    let applies = update.applies(step.members, for: reference, with: others)
    conflicts += update.conflicts
    return applies
  }

  /// Checks that no record removes a link that the other side states.
  private func checkLinks(
    _ step: ReferenceStep,
    reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    place: Int
  ) throws {
    guard
      let other = links.contradiction(
        stating: step.members,
        removing: step.removed ?? [],
        for: reference.relationship,
        of: object
      )
    else { return }
    throw SeedFailure.contradiction(
      plan.records[place],
      reference: reference,
      relationship: reference.relationship.inverseRelationship?.name ?? "",
      of: name(other.object),
      at: plan.records[other.record].position
    )
  }

  mutating func writeReferences() throws {
    var found = RecordFailures.Found()
    for (place, record) in plan.records.enumerated() {
      try progress.reportWriting(plan.records.count + place, of: plan.records.count * 2)
      guard isWritten(place), let object = objects[place] else { continue }
      try found.collecting(record.number, if: leavesOutFailures) {
        for number in record.references.indices { try write(number, of: object, place: place) }
      }
    }
    try found.check()
  }

  private mutating func write(_ number: Int, of object: NSManagedObject, place: Int) throws {
    let reference = plan.records[place].references[number]
    let relationship = reference.relationship
    let step = steps[place][number]
    var destinations = step.members
    if let removed = step.removed {
      let present = ObjectWriting.members(relationship, of: object)
      destinations = ObjectWriting.changing(present, adding: destinations, removing: removed)
    }
    var isSame = ObjectWriting.isSame(destinations, for: relationship, of: object)
    if !isSame, step.isApplied {
      let kept = keptMembers(reference, of: object, besides: destinations, place: place)
      destinations += kept
      if !kept.isEmpty { isSame = ObjectWriting.isSame(destinations, for: relationship, of: object) }
    }
    let decision = ReferenceDecision.decide(
      isSame: isSame,
      applies: step.isApplied,
      removesUnreadLinks: leavesOutUnchanged && reference.isManyToMany && outcomes[place] != .created
        && !ObjectWriting.removed(from: relationship, of: object, by: destinations).isEmpty
    )
    switch decision {
    case .leave: return
    case .readUnchangedSeeds: throw SeedRestart.withUnchangedSeeds
    case .keep: break
    case .write:
      try replaceMembers(reference, of: object, by: destinations, place: place)
      ObjectWriting.put(destinations, for: relationship, of: object)
      if outcomes[place] == .unchanged { outcomes[place] = .updated }
    }
    claims.add(
      destinations,
      for: relationship,
      of: object,
      isWhole: reference.removals == nil,
      record: place
    )
  }

  /// Notes the members that are removed.
  ///
  /// - Throws: An error if another record contradicts.
  private mutating func replaceMembers(
    _ reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    by destinations: [NSManagedObject],
    place: Int
  ) throws {
    if let contradiction = claims.contradiction(setting: destinations, for: reference.relationship, of: object) {
      throw SeedFailure.contradiction(
        plan.records[place],
        reference: reference,
        relationship: contradiction.relationship,
        of: name(contradiction.object),
        at: contradiction.record.map { plan.records[$0].position }
      )
    }
    guard outcomes[place] != .created else { return }
    let removed = ObjectWriting.removed(from: reference.relationship, of: object, by: destinations)
    for member in removed { removers[member] = place }
    owned.leaveOut(removed, of: reference, naturalKeys: plan.naturalKeys)
  }

  /// The members of an owner that would be deleted, and that stay because a user has changed them.
  private mutating func keptMembers(
    _ reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    besides destinations: [NSManagedObject],
    place: Int
  ) -> [NSManagedObject] {
    guard seeder.mode == .merge, reference.owns, reference.relationship.isToMany, outcomes[place] != .created
    else { return [] }
    return ObjectWriting.removed(from: reference.relationship, of: object, by: destinations).filter {
      !isOfRun($0) && !isDeletable($0)
    }
  }

  /// Decides whether an object that the seeds do not bring any more is deleted, although a user may have changed it.
  mutating func isDeletable(_ object: NSManagedObject) -> Bool {
    if let known = deletions[object] { return known }
    let conflict = ledger.conflict(deleting: object, naturalKeys: plan.naturalKeys)
    if let conflict { conflicts.append(conflict) }
    let isDeleted = PruneDecision.decide(onAbandonedWith: conflict).deletes
    deletions[object] = isDeleted
    return isDeleted
  }

  /// Returns true when a record of the run is about an object.
  func isOfRun(_ object: NSManagedObject) -> Bool { objectsOfRun.contains(ObjectIdentifier(object)) }

  func name(_ object: NSManagedObject) -> String { plan.naturalKeys.name(of: object) }

  /// The object that a target means; nil for one that a user has deleted, and that stays so.
  private func object(
    _ target: PlannedRecord.Target,
    of destination: EntityShape,
    at position: SeedPosition
  ) throws -> NSManagedObject? {
    switch target {
    case .label(let label, let key):
      if labels.isLeftOut(label) { return nil }
      if let key, labels[label] == nil, ledger.staysDeleted(key, of: destination) { return nil }
      return try labels.object(label, of: destination, at: position)
    case .key(let key):
      if let object = try index.object(key, of: destination, at: position) { return object }
      if ledger.staysDeleted(key, of: destination) { return nil }
      throw unknownReference(key, destination: destination, at: position)
    }
  }

  /// The object that a target means, if there is one.
  private func known(_ target: PlannedRecord.Target, of destination: EntityShape) -> NSManagedObject? {
    switch target {
    case .label(let label, _): labels[label]
    case .key(let key): index.knownObject(key, of: destination)
    }
  }

  private func unknownReference(_ key: KeyValues, destination: EntityShape, at position: SeedPosition) -> SeedError {
    let attribute = destination.naturalKey?.name ?? ""
    let known = index.keys(of: destination).compactMap { key -> String? in
      if case .one(.string(let text)) = key { text } else { nil }
    }
    var remedy = "correct it, or add the \(destination.name) to the seed"
    if case .one(.string(let text)) = key, let nearest = Suggestion.nearest(to: text, among: known.sorted()) {
      remedy = "was \"\(nearest)\" meant?"
    }
    return SeedError(
      code: .unknownReference,
      at: position,
      problem:
        "there is no \(destination.name) with the \(attribute) \(key.words), neither in the seed nor in the store",
      remedy: remedy
    )
  }
}
