import CoreData

extension SeedWriter {
  /// Objects of the seed can be referred to from everywhere in it; what else is referred to is
  /// looked for in the store.
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
        index.add(object, value, of: destination)
      }
    }
    try index.fetch(wanted)
  }

  mutating func writeReferences() throws {
    var found = RecordFailures.Found()
    for (place, record) in plan.records.enumerated() {
      try progress.reportWriting(plan.records.count + place, of: plan.records.count * 2)
      guard fates[place] != .left, fates[place] != .standing, let object = objects[place] else { continue }
      try found.collecting(record.number, if: leavesOutFailures) {
        for reference in record.references { try write(reference, of: object, place) }
      }
    }
    try found.check()
  }

  private mutating func write(
    _ reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    _ place: Int
  ) throws {
    let record = plan.records[place]
    let relationship = reference.relationship
    let position = record.position.with(key: relationship.name)
    var destinations = try reference.targets.compactMap {
      try self.object($0, of: reference.destination, at: position)
    }
    if let removals = reference.removals {
      let removed = removals.compactMap { known($0, of: reference.destination) }
      let present = ObjectWriting.members(relationship, of: object)
      destinations = ObjectWriting.changing(present, adding: destinations, removing: removed)
    }
    guard !ObjectWriting.isSame(destinations, for: relationship, of: object) else {
      return claim(reference, of: object, destinations, place)
    }
    if fates[place] != .created {
      var update = RecordUpdate(record, object, account)
      let applies = update.applies(destinations, for: reference)
      conflicts += update.conflicts
      guard applies else { return }
    }
    try replaceMembers(reference, of: object, by: destinations, place)
    ObjectWriting.put(destinations, for: relationship, of: object)
    claim(reference, of: object, destinations, place)
    if fates[place] == .unchanged { fates[place] = .updated }
  }

  /// Takes note of the members that are taken out.
  ///
  /// - Throws: An error where another record has said something else.
  private mutating func replaceMembers(
    _ reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    by destinations: [NSManagedObject],
    _ place: Int
  ) throws {
    if let contradiction = claims.contradiction(
      setting: destinations,
      for: reference.relationship,
      of: object
    ) {
      throw SeedFailure.contradiction(
        plan.records[place],
        reference,
        contradiction.relationship,
        of: name(contradiction.object),
        at: contradiction.record.map { plan.records[$0].position }
      )
    }
    guard fates[place] != .created else { return }
    let remaining = Set(destinations.map(ObjectIdentifier.init))
    for member in ObjectWriting.members(reference.relationship, of: object)
    where !remaining.contains(ObjectIdentifier(member)) {
      removers[ObjectIdentifier(member)] = place
    }
  }

  private mutating func claim(
    _ reference: PlannedRecord.Reference,
    of object: NSManagedObject,
    _ members: [NSManagedObject],
    _ place: Int
  ) {
    claims.add(
      members,
      for: reference.relationship,
      of: object,
      isWhole: reference.removals == nil,
      record: place
    )
  }

  private func name(_ object: NSManagedObject) -> String {
    let key = plan.naturalKeys.key(of: object.entity)?.values(of: object)?.words
    return [object.entity.name, key].compactMap { $0 }.joined(separator: " ")
  }

  /// The object that a target means; nil for one that a user has deleted, and that stays so.
  private func object(
    _ target: PlannedRecord.Target,
    of destination: EntityShape,
    at position: SeedPosition
  ) throws -> NSManagedObject? {
    switch target {
    case .label(let label, let key):
      if let key, labels[label] == nil, account.staysDeleted(key, of: destination) { return nil }
      return try labels.object(label, of: destination, at: position)
    case .key(let key):
      if let object = try index.object(key, of: destination, at: position) { return object }
      if account.staysDeleted(key, of: destination) { return nil }
      throw unknownReference(key, destination, at: position)
    }
  }

  /// The object that a target means, if there is one.
  private func known(_ target: PlannedRecord.Target, of destination: EntityShape) -> NSManagedObject? {
    switch target {
    case .label(let label, _): labels[label]
    case .key(let key): index.knownObject(key, of: destination)
    }
  }

  private func unknownReference(
    _ key: KeyValues,
    _ destination: EntityShape,
    at position: SeedPosition
  ) -> SeedError {
    let attribute = destination.naturalKey?.name ?? ""
    let known = index.keys(of: destination).compactMap { key -> String? in
      if case .one(.string(let text)) = key { text } else { nil }
    }
    var remedy = "correct it, or add the \(destination.name) to the seed"
    if case .one(.string(let text)) = key, let nearest = Suggestion.nearest(to: text, among: known.sorted()) {
      remedy = "was \"\(nearest)\" meant?"
    }
    return SeedError(
      .unknownReference,
      at: position,
      "there is no \(destination.name) with the \(attribute) \(key.words), neither in the seed nor in the store",
      remedy: remedy
    )
  }
}
