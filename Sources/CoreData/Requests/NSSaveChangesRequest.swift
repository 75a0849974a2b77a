import Foundation

/// The changes of a save, as a store of an application's own gets them.
///
/// Apple's documentation of `NSSaveChangesRequest`.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects that are new.
  public final let insertedObjects: Set<NSManagedObject>?
  /// The objects whose values or relationships changed.
  public final let updatedObjects: Set<NSManagedObject>?
  /// The objects that are deleted.
  public final let deletedObjects: Set<NSManagedObject>?
  /// The objects that must not have been changed by others.
  public final let lockedObjects: Set<NSManagedObject>?

  /// Makes a request of these objects.
  public init(
    inserted insertedObjects: Set<NSManagedObject>?,
    updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?,
    locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

  open override var description: String { describe() }
}
