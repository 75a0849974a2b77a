/// The objects that changed in an event, or that a save keeps, by what became of them: as notifications name them.
struct ChangedSets {
  private(set) var inserted: Set<NSManagedObject>
  private(set) var updated: Set<NSManagedObject>
  private(set) var deleted: Set<NSManagedObject>

  private enum Change {
    case insertion, update, deletion

    /// - Returns: `nil` for an object that no notification names, because it is unchanged, or was
    ///   inserted and deleted within the same event.
    init?(_ object: NSManagedObject) {
      if object.isInserted {
        self = .insertion
      } else if object.isUpdated {
        self = .update
      } else if object.isDeleted, !object.state.contains(.insertedInEvent) {
        self = .deletion
      } else {
        return nil
      }
    }
  }

  /// - Parameter objects: the objects that changed in an event, each once.
  init(ofEvent objects: ContiguousArray<NSManagedObject>) {
    var counts = (inserted: 0, updated: 0, deleted: 0)
    for object in objects {
      switch Change(object) {
      case .insertion: counts.inserted += 1
      case .update: counts.updated += 1
      case .deletion: counts.deleted += 1
      case nil: break
      }
    }
    inserted = Set(minimumCapacity: counts.inserted)
    updated = Set(minimumCapacity: counts.updated)
    deleted = Set(minimumCapacity: counts.deleted)
    for object in objects {
      switch Change(object) {
      case .insertion: inserted.insert(object)
      case .update: updated.insert(object)
      case .deletion: deleted.insert(object)
      case nil: break
      }
    }
  }
}
