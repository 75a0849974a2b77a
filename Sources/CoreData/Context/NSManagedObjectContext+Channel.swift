import Foundation

/// A parent context answers its children as a store answers it: with what is in it, saved or not.
extension NSManagedObjectContext: ObjectChannel {
  package final func fetch(_ query: FetchQuery) throws -> [FetchedRow] {
    // The objects stay here, with all their values.
    var query = query
    query.properties = nil
    return try queue.sync { () throws in
      try fetchObjects(query, includesPendingChanges: true).map { object in
        object.rowForChild(includesValues: query.includesRows)
      }
    }
  }

  package final func count(_ query: FetchQuery) throws -> Int {
    try queue.sync { () throws in
      processChanges()
      if hasChanges { return try fetchObjects(query, includesPendingChanges: true).count }
      return try connectedChannel().count(query)
    }
  }

  package final func aggregate(_ query: AggregateQuery) throws -> AggregateRows? {
    try queue.sync { () throws in try aggregate(query, includesPendingChanges: true) }
  }

  package final func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try queue.sync { () throws in
      let reference = currentReference(reference)
      if let object = registry.object(for: reference, root: layout.rootNumber), object.base != nil {
        return object.isDeleted ? nil : object.rowForChild(includesValues: true)
      }
      if reference.isTemporary, parentSet == nil { return nil }
      return try connectedChannel().row(of: reference, layout: layout)
    }
  }

  package final func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try queue.sync { () throws in
      let object = object(for: currentReference(reference))
      return try object.readMembers(relationship).filter { !$0.isDeleted }.map(\.reference)
    }
  }

  package final func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    try queue.sync { () throws in
      let objects = references.map { object(for: currentReference($0)) }
      try prefetchToMany(relationship, of: objects, layout: layout)
      return objects.map { object in
        object.members(relationship, of: layout).filter { !$0.isDeleted }.map {
          $0.rowForChild(includesValues: true)
        }
      }
    }
  }

  package final func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try queue.sync { () throws in try permanentReferences(of: objects) }
  }

  package final func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
    try queue.sync { () throws in
      var own = deletion
      own.query.origin = origin
      return try connectedChannel().deleteAll(own)
    }
  }

  package final func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try queue.sync { () throws in
      var own = insertion
      own.origin = origin
      return try connectedChannel().insertAll(own)
    }
  }

  package final func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
    try queue.sync { () throws in
      var own = update
      own.query.origin = origin
      return try connectedChannel().updateAll(own)
    }
  }

  /// Takes the changes of a child as changes of its own.
  package final func commit(_ changes: ChangeSet) throws -> CommitOutcome {
    try take(changes, appliesDeleteRules: true)
    return .saved(permanentReferences: [:])
  }

  /// Takes changes as changes of its own.
  ///
  /// - Parameter appliesDeleteRules: true where this context may know destinations that the other one did not know
  ///   when it deleted an object.
  final func take(_ changes: ChangeSet, appliesDeleteRules: Bool) throws {
    try queue.sync { () throws in
      try changes.requireReadableInsertions()
      let inserted = changes.inserted.map(insertFromChild)
      for (index, object) in inserted.enumerated() where !changes.inserted[index].toMany.isEmpty {
        object.applyToMany(changes.inserted[index])
      }
      for change in changes.updated {
        let object = object(for: change.reference)
        object.apply(change)
        object.applyToMany(change)
      }
      for change in changes.deleted { delete(change, appliesDeleteRules: appliesDeleteRules) }
      processChanges()
    }
  }

  /// A child may not know yet that a save gave an object its permanent reference.
  final func currentReference(_ reference: ObjectReference) -> ObjectReference {
    pullReferences()
    return reference.isTemporary ? assignedReferences[reference.key] ?? reference : reference
  }

  private final func insertFromChild(_ change: ObjectChange) -> NSManagedObject {
    let object = materialize(
      FetchedRow(
        key: change.reference.key,
        store: change.reference.store,
        layout: change.layout,
        row: change.row?.copy()
      )
    )
    object.state.remove(.fault)
    object.state.insert(.inserted)
    registry.add(object)
    recordChange(of: object)
    return object
  }

  /// The other context has applied the delete rules, and reports the changes to the destinations that it knew. This
  /// context knows other destinations if it has changed or saved the object since. It does not know which destinations
  /// the other context has moved to other objects before the deletion, so it merges those changes first.
  private final func delete(_ change: ObjectChange, appliesDeleteRules: Bool) {
    let object = object(for: change.reference)
    object.fireFaultIfNeeded()
    let knowsMore = object.hasChanges || object.committedRow?.version != change.committed?.version
    if !object.state.contains(.inaccessible) {
      object.apply(change)
      object.applyToMany(change)
      if !object.state.contains(.eventRecorded) { object.recordEventSnapshot() }
    }
    object.state.insert(.deleted)
    if !appliesDeleteRules || !knowsMore { object.state.insert(.deletionPropagated) }
    recordChange(of: object)
  }
}

extension NSManagedObject {
  /// The object's values for a child context: a copy while they can still change here. As in a row from a store,
  /// transient attributes have no values.
  final func rowForChild(includesValues: Bool) -> FetchedRow {
    let own = includesValues ? currentRow : nil
    let transient = transientValues
    let row = hasChanges || !transient.isEmpty ? own?.copy() : own
    for (slot, _) in transient { row?.setNull(slot) }
    return FetchedRow(key: key, store: store, layout: layout, row: row)
  }

  /// Takes a child's values.
  final func apply(_ change: ObjectChange) {
    guard let row = change.row, !change.changedSlots.isEmpty else { return }
    let own = writableRow()
    for slot in change.changedSlots {
      announceChange(slot)
      own.set(row.value(slot), slot: slot)
      if layout.kind(slot) == .reference { extras?.forgetDestination(slot) }
    }
    recordChange()
  }

  /// Takes what a child changed in to-many relationships; both sides report their part.
  final func applyToMany(_ change: ObjectChange) {
    guard !change.toMany.isEmpty, let context = registry.context else { return }
    for relationship in change.toMany {
      for reference in relationship.removed {
        withdraw(context.object(for: reference), index: relationship.relationship)
      }
      for reference in relationship.added { place(context.object(for: reference), index: relationship.relationship) }
      if let ordered = relationship.ordered {
        setOrder(ordered.map(context.object(for:)), index: relationship.relationship)
      }
    }
  }
}
