import CoreData

/// The changes that a parent context gets from a seeding child, to be undone if they cannot be
/// saved.
struct PushedChanges {
  /// True when the parent has changes of its own, which have to stay.
  let parentHasChanges: Bool
  private let inserted: [NSManagedObjectID]
  private let updated: [NSManagedObjectID]

  /// Called before the child saves, on no context's queue.
  init(from child: NSManagedObjectContext, by parent: NSManagedObjectContext) {
    let (inserted, updated) = child.performAndWait {
      (child.insertedObjects.map(\.objectID), child.updatedObjects.map(\.objectID))
    }
    (parentHasChanges, self.updated) = parent.performAndWait {
      (parent.hasChanges, updated.filter { parent.registeredObject(for: $0)?.hasChanges != true })
    }
    self.inserted = inserted
  }

  /// Called on the parent's queue. An object that both had changed keeps what the seed gave it.
  func revert(in parent: NSManagedObjectContext) {
    guard parentHasChanges else {
      parent.rollback()
      return
    }
    for id in inserted { parent.delete(parent.object(with: id)) }
    for id in updated { parent.refresh(parent.object(with: id), mergeChanges: false) }
  }
}
