/// Brings all objects of one store into another one of the same model, as one change set.
struct StoreTransfer {
  /// An object among those under the same root.
  private struct Identity: Hashable {
    let key: Int64
    let root: Int32
  }

  /// An object's references in the old store and in the new one.
  struct Move {
    let old: ObjectReference
    let new: ObjectReference
    let layout: EntityLayout
  }

  private let source: any ObjectStore
  /// The state of the source that all objects are read from.
  private let state: any StoreReader
  private let target: any ObjectStore
  private let model: NSManagedObjectModel
  private var references: [Identity: ObjectReference] = [:]

  /// Brings the objects of an open store into one that is not registered in its coordinator yet.
  ///
  /// - Returns: the references that each of them had and has now.
  static func run(
    from source: any ObjectStore,
    to target: any ObjectStore,
    model: NSManagedObjectModel
  ) throws -> [Move] {
    var transfer = StoreTransfer(
      source: source,
      state: try source.snapshot() ?? source,
      target: target,
      model: model
    )
    return try transfer.run()
  }

  private mutating func run() throws -> [Move] {
    let rows = try fetchAll()
    for (number, fetched) in rows.enumerated() {
      references[identity(fetched.reference, layout: fetched.layout)] = ObjectReference(
        key: -Int64(number + 1),
        entity: fetched.layout.number,
        store: ObjectReference.noStore
      )
    }
    var changes = ChangeSet()
    changes.inserted = try rows.compactMap(insertion)
    // A value that cannot be read in the source would be lost in the destination.
    try changes.requireReadableInsertions()
    target.metadata = (source.metadata ?? [:]).merging(target.metadata ?? [:]) { _, own in own }
    guard case .saved(let permanent, _) = try target.commit(changes) else {
      throw CocoaError.coreData(
        NSPersistentStoreSaveConflictsError,
        message: """
          the objects cannot be kept in the new store, since uniqueness constraints would be broken; make their values \
          differ first.
          """
      )
    }
    return rows.compactMap { fetched in
      let new = reference(fetched.reference, layout: fetched.layout).flatMap { permanent[$0.key] }
      return new.map { Move(old: fetched.reference, new: $0, layout: fetched.layout) }
    }
  }

  private func fetchAll() throws -> [FetchedRow] {
    let entities = model.entities(ofStoreWith: source.metadata ?? [:], configuration: source.configurationName)
    return try entities.filter { !$0.isAbstract }.flatMap { entity in
      var query = FetchQuery(entity: entity)
      query.includesSubentities = false
      return try state.fetch(query)
    }
  }

  private func insertion(of fetched: FetchedRow) throws -> ObjectChange? {
    guard let row = fetched.row?.copy(), let reference = reference(fetched.reference, layout: fetched.layout)
    else { return nil }
    let layout = fetched.layout
    for slot in layout.referenceSlots {
      guard case .reference(let destination) = row.value(slot) else { continue }
      if let moved = self.reference(destination, relationship: layout.slots[slot].relationship) {
        row.set(.reference(moved), slot: slot)
      } else {
        row.setNull(slot)
      }
    }
    return ObjectChange(
      reference: reference,
      layout: layout,
      row: row,
      committed: nil,
      changedSlots: Array(layout.persistentSlots),
      toMany: try layout.toMany.indices.compactMap { try toManyChange($0, of: fetched) }
    )
  }

  private func toManyChange(_ index: Int, of fetched: FetchedRow) throws -> ToManyChange? {
    let toMany = fetched.layout.toMany[index]
    if toMany.relationship.isTransient { return nil }
    let destinations = try state.destinations(of: index, from: fetched.reference, layout: fetched.layout)
      .compactMap { reference($0, relationship: toMany.relationship) }
    if destinations.isEmpty { return nil }
    return ToManyChange(
      relationship: index,
      added: destinations,
      removed: [],
      ordered: toMany.isOrdered ? destinations : nil
    )
  }

  private func identity(_ reference: ObjectReference, layout: EntityLayout) -> Identity {
    Identity(key: reference.key, root: layout.rootNumber)
  }

  private func reference(_ reference: ObjectReference, layout: EntityLayout) -> ObjectReference? {
    references[identity(reference, layout: layout)]
  }

  private func reference(_ reference: ObjectReference, relationship: NSRelationshipDescription?) -> ObjectReference? {
    relationship?.frozenDestination.flatMap { self.reference(reference, layout: $0.layout) }
  }
}
