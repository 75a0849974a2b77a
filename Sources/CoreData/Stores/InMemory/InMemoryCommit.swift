import Foundation

/// Keeps a change set in a store in memory: all of it, or nothing.
struct InMemoryCommit {
  let changes: ChangeSet
  let store: Int32
  /// The references that some new objects get; all others get the next keys.
  var given: [Int64: ObjectReference] = [:]

  /// - Parameter others: called before the changes are applied; if it throws or returns an outcome, they are not
  ///   applied.
  func apply(to contents: inout InMemoryContents, with others: () throws -> CommitOutcome?) throws -> CommitOutcome {
    let conflicts = conflicts(in: contents)
    if !conflicts.isEmpty { return .conflicts(conflicts) }
    var next = contents
    let permanent = assignKeys(&next)
    var violations: [ConstraintViolation] = []
    for change in changes.deleted { next.remove(change.reference.key, layout: change.layout) }
    if changes.exchangesUniqueValues {
      for change in changes.updated where change.row != nil {
        next.freeUniqueValues(of: change.reference.key, root: change.layout.rootNumber)
      }
    }
    for change in changes.updated + changes.inserted {
      violations += try self.violations(of: change, permanent: permanent, in: next, before: contents)
      try write(change, permanent: permanent, to: &next)
    }
    if !violations.isEmpty { return .violations(violations) }
    let changed = (changes.updated + changes.inserted).map { change in
      (key: permanent[change.reference.key]?.key ?? change.reference.key, layout: change.layout)
    }
    try InMemoryDerivation(store: store).update(&next, changed: changed)
    if let outcome = try others() { return outcome }
    contents = next
    return .saved(permanentReferences: permanent)
  }

  private func violations(
    of change: ObjectChange,
    permanent: [Int64: ObjectReference],
    in next: InMemoryContents,
    before: InMemoryContents
  ) throws -> [ConstraintViolation] {
    guard let row = change.row, !change.layout.constraints.isEmpty else { return [] }
    let key = permanent[change.reference.key]?.key ?? change.reference.key
    return try change.layout.constraints.compactMap { constraint in
      guard
        let values = constraint.values(of: try stored(row, change: change, permanent: permanent, in: before)),
        let holder = next.holder(of: values), holder != key
      else { return nil }
      let persisted = before.row(holder, root: change.layout.rootNumber)
      return ConstraintViolation(
        reference: change.reference,
        constraint: constraint,
        holder: persisted.map { ObjectReference(key: holder, entity: $0.layout.number, store: store) },
        persisted: persisted
      )
    }
  }

  private func conflicts(in contents: InMemoryContents) -> [VersionConflict] {
    (changes.updated + changes.deleted).compactMap { change in
      let persisted = contents.row(change.reference.key, root: change.layout.rootNumber)
      if let persisted, persisted.version == change.committed?.version { return nil }
      return VersionConflict(reference: change.reference, persisted: persisted)
    }
  }

  private func assignKeys(_ contents: inout InMemoryContents) -> [Int64: ObjectReference] {
    var permanent: [Int64: ObjectReference] = [:]
    for change in changes.inserted where change.reference.isTemporary {
      permanent[change.reference.key] =
        given[change.reference.key]
        ?? ObjectReference(
          key: contents.nextKey(root: change.layout.rootNumber),
          entity: change.layout.number,
          store: store
        )
    }
    return permanent
  }

  private func write(
    _ change: ObjectChange,
    permanent: [Int64: ObjectReference],
    to contents: inout InMemoryContents
  ) throws {
    let key = permanent[change.reference.key]?.key ?? change.reference.key
    if let row = change.row {
      let stored = try stored(row, change: change, permanent: permanent, in: contents)
      contents.set(stored, key: key, root: change.layout.rootNumber)
    }
    for relationship in change.toMany {
      let description = change.layout.toMany[relationship.relationship].relationship
      contents.updateDestinations(of: description, from: key) { destinations in
        update(&destinations, change: relationship, permanent: permanent)
      }
    }
  }

  /// The row as the store keeps it: a copy with the next version, permanent references and copies of mutable
  /// values, without the context's transient values.
  ///
  /// References that the save has not changed are taken from the store, because a batch deletion clears references
  /// without changing the version.
  private func stored(
    _ row: Row,
    change: ObjectChange,
    permanent: [Int64: ObjectReference],
    in contents: InMemoryContents
  ) throws -> Row {
    let stored = row.copy()
    stored.version = (change.committed?.version ?? 0) &+ 1
    if change.committed != nil, !change.layout.referenceSlots.isEmpty,
      let present = contents.row(change.reference.key, root: change.layout.rootNumber)
    {
      // A list of few is looked through faster than a set is made.
      let changed = change.changedSlots.count > 8 ? Set(change.changedSlots) : nil
      for slot in change.layout.referenceSlots
      where !(changed?.contains(slot) ?? change.changedSlots.contains(slot)) {
        stored.set(present.value(slot), slot: slot)
      }
    }
    for slot in change.layout.slots.indices {
      if change.layout.slots[slot].isTransient {
        stored.setNull(slot)
      } else if case .reference(let reference) = stored.value(slot), let known = permanent[reference.key] {
        stored.set(.reference(known), slot: slot)
      } else if let attribute = change.layout.slots[slot].transformable, case .object(let object) = stored.value(slot) {
        stored.set(
          try AttributeCoding.copy(object, attribute: attribute).map { .object($0) } ?? .null,
          slot: slot
        )
      }
    }
    stored.setTransientDefaults()
    return stored
  }

  private func update(
    _ destinations: inout [ObjectReference],
    change: ToManyChange,
    permanent: [Int64: ObjectReference]
  ) {
    let resolve: (ObjectReference) -> ObjectReference = { permanent[$0.key] ?? $0 }
    let removed = Set(change.removed.map(\.key))
    let present = Set(destinations.map(\.key))
    if let ordered = change.ordered {
      // Objects that a batch deletion has removed in the meantime are not restored by an order that contains them.
      let known = present.subtracting(removed).union(change.added.map { resolve($0).key })
      destinations = ordered.map(resolve).filter { known.contains($0.key) }
      return
    }
    destinations.removeAll { removed.contains($0.key) }
    destinations += change.added.map(resolve).filter { !present.contains($0.key) }
  }
}
