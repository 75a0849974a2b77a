extension NSManagedObjectContext {
  /// Assigns faults that are next to each other in a result to batches of the given size, whose
  /// values are fetched together.
  final func assignBatches(
    _ objects: [NSManagedObject],
    of entity: NSEntityDescription,
    size: Int,
    keyPaths: [String]
  ) {
    var start = 0
    while start < objects.count {
      let end = min(start + size, objects.count)
      assignBatch(objects[start..<end].filter(\.canWaitForBatch), of: entity, keyPaths: keyPaths)
      start = end
    }
  }

  private final func assignBatch(_ objects: [NSManagedObject], of entity: NSEntityDescription, keyPaths: [String]) {
    for (store, objects) in Dictionary(grouping: objects, by: \.store) {
      let batch = FaultBatch(
        entity: entity,
        store: store,
        keys: objects.map(\.key),
        keyPaths: keyPaths
      )
      let slab = RowSlab.make(layout: entity.layout, capacity: 0, batch: batch)
      for object in objects { object.slab = slab }
    }
  }

  /// The values of an object, fetched with those of its batch; `nil` when the object is not in the store any more.
  final func fetchBatch(_ batch: FaultBatch, for object: NSManagedObject) throws -> Row? {
    var own: Row?
    var arrived: [NSManagedObject] = []
    for fetched in try connectedChannel().fetch(FetchQuery(batch)) {
      if fetched.key == object.key {
        own = fetched.row
        arrived.append(object)
      } else if let other = registry.object(for: fetched.reference, root: fetched.layout.rootNumber),
        other.canWaitForBatch
      {
        other.setRow(fetched.row)
        arrived.append(other)
      }
    }
    if !batch.keyPaths.isEmpty {
      object.setRow(own)
      do {
        try prefetch(batch.keyPaths, of: arrived, entity: batch.entity)
      } catch {
        // The values are loaded. A later reader of the relationships fetches them again.
        recordReadFailure(error)
      }
    }
    return own
  }
}

extension NSManagedObject {
  /// True when the object has no values yet, and none of its own.
  final var canWaitForBatch: Bool { base == nil && isFault && !hasChanges && !reference.isTemporary }
}
