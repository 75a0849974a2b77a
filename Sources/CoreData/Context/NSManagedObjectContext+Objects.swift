import Foundation

extension NSManagedObjectContext {
  // MARK: - Making objects

  final func popEntityToInstantiate() -> NSEntityDescription? {
    defer { entityToInstantiate = nil }
    return entityToInstantiate
  }

  /// A new object of an entity, of the entity's class, inserted.
  final func insertNewObject(of layout: EntityLayout) -> NSManagedObject {
    if let initializer = layout.initializer { return initializer(layout.entity, self) }
    entityToInstantiate = layout.entity
    return layout.objectClass.init(_madeIn: self, of: nil)
  }

  /// The object of a row, which the identity map does not have.
  @inline(__always)
  final func materialize(_ row: FetchedRow) -> NSManagedObject {
    let object = instantiateObject(for: row)
    if retainsRegisteredObjects { retained[ObjectIdentifier(object)] = object }
    return object
  }

  /// A new object of an entity, of the entity's class, that is in no context.
  final func makeObjectOutside(of layout: EntityLayout) -> NSManagedObject {
    let object = instantiateObject(
      for: FetchedRow(
        key: TemporaryKey.next(),
        store: ObjectReference.noStore,
        layout: layout,
        row: layout.newRow()
      )
    )
    object.registry = ObjectRegistry(model: model, context: nil)
    object.state = layout.initialState
    return object
  }

  /// The one object of a reference: a fault unless it is here already.
  final func object(for reference: ObjectReference) -> NSManagedObject {
    let layout = layout(reference.entity)
    if let object = registry.object(for: reference, root: layout.rootNumber) { return object }
    let object = materialize(FetchedRow(key: reference.key, store: reference.store, layout: layout, row: nil))
    registry.add(object)
    return object
  }

  /// The objects of fetched rows, in their order. Objects that are here already keep their values,
  /// unless they are faults.
  final func objects(for rows: [FetchedRow]) -> [NSManagedObject] {
    guard let first = rows.first else { return [] }
    // The rows may name objects by references that they got while the parent was asked.
    if parentSet != nil { assignPendingReferences() }
    let root = first.layout.rootNumber
    if rows.contains(where: { $0.store != first.store || $0.key < 0 }) {
      return rows.map { objects(for: [$0], root: root)[0] }
    }
    return objects(for: rows, root: root)
  }

  private final func objects(for rows: [FetchedRow], root: Int32) -> [NSManagedObject] {
    guard let known = registry.objects(for: rows, root: root) else {
      let objects = rows.withUnsafeBufferPointer { rows in rows.indices.map { materialize(rows[$0]) } }
      registry.add(objects)
      return objects
    }
    var new: [NSManagedObject] = []
    let objects = rows.indices.map { index in
      if let object = known[index] {
        faultIn(rows[index], object: object)
        return object
      }
      let object = materialize(rows[index])
      new.append(object)
      return object
    }
    registry.add(new)
    return objects
  }

  private final func faultIn(_ fetched: FetchedRow, object: NSManagedObject) {
    guard object.isFault, !object.hasChanges, let row = fetched.row, row.layout === object.layout else { return }
    object.setRow(row)
  }

  // MARK: - Firing faults

  /// The values of an object, from the parent or a store. An object that is in neither is treated as deleted.
  ///
  /// - Returns: `nil` when the object cannot be read. The error is logged at once and thrown by the next save.
  final func fetchRow(of object: NSManagedObject) -> Row? {
    pullReferences()
    do {
      if let batch = object.slab?.batch, let row = try fetchBatch(batch, for: object) { return row }
      try faultWatch?.willFire(object)
      if let row = try connectedChannel().row(of: object.reference, layout: object.layout)?.row { return row }
    } catch {
      recordReadFailure(error, of: object)
      return nil
    }
    handleInaccessible(object)
    return Row(layout: object.layout)
  }

  /// The destinations that a relationship has in the parent or a store.
  ///
  /// - Returns: `nil` when the destinations cannot be read. The error is logged at once and thrown by the next save.
  final func fetchDestinations(_ relationship: Int, of object: NSManagedObject) -> [NSManagedObject]? {
    do {
      return try readDestinations(relationship, of: object)
    } catch {
      recordReadFailure(error, of: object, key: object.layout.toMany[relationship].name)
      return nil
    }
  }

  final func readDestinations(_ relationship: Int, of object: NSManagedObject) throws -> [NSManagedObject] {
    pullReferences()
    if let faultWatch { try faultWatch.willFollow(object.layout.toMany[relationship].name, of: object) }
    let destinations = try connectedChannel().destinations(
      of: relationship,
      from: object.reference,
      layout: object.layout
    )
    .map(self.object(for:))
    if let faultWatch { faultWatch.reached(destinations, by: object.layout.toMany[relationship].name, of: object) }
    return destinations
  }

  final func didFireFault(_ object: NSManagedObject) {
    // An object that was never saved has not been fetched.
    if object.state.contains(.inserted) { return }
    withoutRecordingChanges(of: object) { object.awakeFromFetch() }
  }

  /// An object turned out to be gone from the store.
  final func handleInaccessible(_ object: NSManagedObject) {
    guard shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: nil) else {
      fatalError(
        """
        \(object.describeIdentity()) is no longer in its store; leave shouldDeleteInaccessibleFaults set, answer true \
        in shouldHandleInaccessibleFault, or get objects by existingObject(with:).
        """
      )
    }
    object.state.insert([.deleted, .deletionPropagated, .inaccessible])
  }

  /// The object of an ID, with its values.
  final func findExistingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    checkConfinement("existingObject(with:)")
    let reference = currentReference(reference(of: objectID))
    if let object = registry.object(for: reference, root: objectID.layout.rootNumber), object.base != nil {
      if object.isDeleted { throw Self.missing(objectID) }
      if !object.isFault || !isStale(object) { return object }
    }
    guard let row = try connectedChannel().row(of: reference, layout: objectID.layout),
      let object = objects(for: [row]).first
    else { throw Self.missing(objectID) }
    let (_, hasFailed) = noticingReadFailures { object.fireFaultIfNeeded() }
    // A failure of another object, which awakeFromFetch() reads, is not this object's.
    if hasFailed, object.base == nil { try throwReadFailure() }
    return object
  }

  private static func missing(_ objectID: NSManagedObjectID) -> NSError {
    CocoaError.coreData(
      NSManagedObjectReferentialIntegrityError,
      message: """
        there is no object \(objectID.uriRepresentation().absoluteString) in the store: it has been deleted, or never \
        was saved.
        """,
      userInfo: [NSAffectedObjectsErrorKey: [objectID]]
    )
  }

  // MARK: - References

  /// Assigns the permanent references that objects of this child context got by a save further up.
  final func pullReferences() {
    guard let parentSet else { return }
    // References that the parent has not assigned yet are not known here either.
    if parentSet.parentSet != nil { parentSet.queue.sync { parentSet.pullReferences() } }
    assignPendingReferences()
  }

  final func assignPendingReferences() {
    if let permanent = pendingReferences.drain() { assignReferences(permanent) }
  }

  /// Gives objects their permanent references, in their rows too.
  final func assignReferences(_ permanent: [Int64: ObjectReference]) {
    guard !permanent.isEmpty else { return }
    // Only in a child context can an object without changes lead to one that no store knows yet.
    let affected = parentSet == nil ? Array(pending) : registry.allObjects()
    for object in affected {
      if let reference = permanent[object.key] { object.assignReference(reference) }
      object.replaceReferences(permanent)
    }
    let living = children.all.compactMap(\.context)
    for child in living { child.pendingReferences.add(permanent) }
    if living.isEmpty, parentSet == nil {
      assignedReferences = [:]
    } else {
      assignedReferences.merge(permanent) { _, new in new }
    }
    for following in resultsFollowing { following.results?.idsWereAssigned() }
  }

  final func obtainReferences(for objects: [NSManagedObject]) throws {
    checkConfinement("obtainPermanentIDs(for:)")
    pullReferences()
    let new = objects.filter { $0.reference.isTemporary }
    _ = try permanentReferences(of: new.map { NewObject(reference: $0.reference, layout: $0.layout) })
  }

  /// The permanent references of objects, which those get that have none yet.
  final func permanentReferences(of objects: [NewObject]) throws -> [ObjectReference] {
    var known: [Int64: ObjectReference] = [:]
    var new: [NewObject] = []
    for object in objects where known[object.reference.key] == nil {
      // A save may have given one that the child which asks has not taken yet.
      let reference = currentReference(object.reference)
      known[object.reference.key] = reference
      if reference.isTemporary { new.append(object) }
    }
    if !new.isEmpty {
      let references = try connectedChannel().permanentReferences(for: new)
      let permanent = Dictionary(uniqueKeysWithValues: zip(new.map(\.reference.key), references))
      assignReferences(permanent)
      known.merge(permanent) { _, permanent in permanent }
    }
    return objects.map { known[$0.reference.key] ?? $0.reference }
  }
}

extension NSManagedObject {
  /// Replaces temporary references in to-one relationships: in what the object has, and in what it
  /// had before its changes.
  final func replaceReferences(_ permanent: [Int64: ObjectReference]) {
    if layout.referenceSlots.isEmpty { return }
    if let row = rowAtHand { replaceReferences(permanent, in: row) }
    guard let extras else { return }
    if let row = extras.committed { replaceReferences(permanent, in: row) }
    if let row = extras.event?.row { replaceReferences(permanent, in: row) }
  }

  private final func replaceReferences(_ permanent: [Int64: ObjectReference], in row: Row) {
    for slot in layout.referenceSlots {
      guard case .reference(let old) = row.value(slot), old.isTemporary, let new = permanent[old.key] else { continue }
      row.set(.reference(new), slot: slot)
    }
  }
}
