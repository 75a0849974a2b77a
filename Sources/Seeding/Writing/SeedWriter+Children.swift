import CoreData

extension SeedWriter {
  /// The state of the outer record's object.
  private enum Owner {
    /// It is created, and so are the nested records' objects.
    case new
    case present(NSManagedObject)
    /// It is unchanged, or does not exist.
    case left(NSManagedObject?)
  }

  /// Finds the objects of nested records without a natural key, by matching an owner's list with
  /// the owner's objects. Records nested in a skipped record are skipped, too.
  mutating func matchChildren() throws {
    var places: [SeedLabel: Int] = [:]
    for (place, record) in plan.records.enumerated() where record.naturalKey == nil {
      if let label = record.label { places[label] = place }
    }
    guard !places.isEmpty else { return }
    for (place, record) in plan.records.enumerated() where record.naturalKey != nil || !record.isNested {
      visit(place, owner: owner(place), places: &places)
    }
  }

  private func owner(_ place: Int) -> Owner {
    let record = plan.records[place]
    let object = record.naturalKey.flatMap { index.knownObject($0, of: record.shape) }
    switch decision(on: place, hasObject: object != nil) {
    case .create: return record.isUnchangedSeed ? .left(object) : .new
    case .update: return object.map(Owner.present) ?? .new
    case .leave, .stand: return .left(object)
    }
  }

  /// - Parameter places: The places of records without a natural key that have not been visited yet.
  private mutating func visit(_ place: Int, owner: Owner, places: inout [SeedLabel: Int]) {
    let record = plan.records[place]
    for (number, reference) in record.references.enumerated() where contents.hasKeyless(reference) {
      let children = reference.targets.compactMap { target -> Int? in
        guard case .label(let label, nil) = target else { return nil }
        return places.removeValue(forKey: label)
      }
      var isLeft = true
      var found: [Int: NSManagedObject] = [:]
      switch owner {
      case .new: isLeft = false
      case .left(let object): if let object { found = match(children, reference: reference, of: object) }
      case .present(let object):
        isLeft = !takes(reference, number: number, of: object, place: place)
        found = match(children, reference: reference, of: object)
      }
      for child in children {
        matches[child] = found[child]
        let isNested = plan.records[child].isNested
        if isLeft, isNested { skipped.insert(child) }
        // A record that is skipped within its owner may still be a record of its own.
        guard isNested || !isLeft else { continue }
        visit(child, owner: isLeft ? .left(found[child]) : found[child].map(Owner.present) ?? .new, places: &places)
      }
    }
  }

  /// Decides whether an object that was in the store gets the list that its record has of objects
  /// that are not in the store yet, or that have no natural key.
  mutating func takes(
    _ reference: PlannedRecord.Reference,
    number: Int,
    of object: NSManagedObject,
    place: Int
  ) -> Bool {
    if let known = decisions[place]?[number] { return known }
    var update = RecordUpdate(record: plan.records[place], object: object, ledger: ledger, contents: contents)
    let applies = update.applies(nil, for: reference)
    conflicts += update.conflicts
    decisions[place, default: [:]][number] = applies
    return applies
  }

  /// The objects of an owner for its records without a natural key: objects with the same values,
  /// and for the remaining records the remaining objects in the same order.
  private func match(_ children: [Int], reference: PlannedRecord.Reference, of owner: NSManagedObject)
    -> [Int: NSManagedObject]
  {
    guard reference.owns, !children.isEmpty else { return [:] }
    let inverse = reference.relationship.inverseRelationship?.name
    let named = Set(reference.targets.compactMap(\.naturalKey))
    let members = ObjectWriting.inOrder(reference.relationship, of: owner).filter { member in
      reference.destination.naturalKey?.values(of: member).map { !named.contains($0) } ?? true
    }
    var found: [Int: NSManagedObject] = [:]
    var taken: Set<ObjectIdentifier> = []
    // The members by the digests of their values, the last of equal members first, for each set of properties.
    var known: [SeedContents.Said: [UInt64: [NSManagedObject]]] = [:]
    for child in children {
      let record = plan.records[child]
      guard let (said, digest) = contents.likeness(of: record, besides: inverse) else { continue }
      if known[said] == nil {
        var alike: [UInt64: [NSManagedObject]] = [:]
        for member in members.reversed() where member.entity.name == record.shape.name {
          alike[contents.likeness(of: member, as: record, besides: inverse), default: []].append(member)
        }
        known[said] = alike
      }
      while let member = known[said]?[digest]?.popLast() {
        guard taken.insert(ObjectIdentifier(member)).inserted else { continue }
        found[child] = member
        break
      }
    }
    var free = members.filter { !taken.contains(ObjectIdentifier($0)) }[...]
    for child in children where found[child] == nil {
      guard let place = free.firstIndex(where: { $0.entity.name == plan.records[child].shape.name }) else {
        continue
      }
      found[child] = free.remove(at: place)
    }
    return found
  }
}
