public import Foundation

extension Notification.Name {
  /// Posted by a context before it saves.
  public static let NSManagedObjectContextWillSave = Notification.Name("NSManagingContextWillSaveChangesNotification")
  /// Posted by a context when it has saved, with the objects under ``NSInsertedObjectsKey`` and the like.
  ///
  /// ```swift
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextDidSave,
  ///   object: context,
  ///   queue: nil
  /// ) { notification in
  ///   let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
  ///   show(inserted?.count ?? 0)
  /// }
  /// ```
  public static let NSManagedObjectContextDidSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
  /// Posted by a context when it has saved, with IDs under ``NSInsertedObjectIDsKey`` and the like.
  ///
  /// ```swift
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextDidSaveObjectIDs,
  ///   object: context,
  ///   queue: nil
  /// ) { notification in
  ///   let updated = notification.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>
  ///   show(updated ?? [])
  /// }
  /// ```
  public static let NSManagedObjectContextDidSaveObjectIDs = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification"
  )
  /// Posted by a context when objects have changed, with the objects under ``NSInsertedObjectsKey`` and the like.
  ///
  /// ```swift
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextObjectsDidChange,
  ///   object: context,
  ///   queue: nil
  /// ) { notification in
  ///   let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>
  ///   show(updated?.count ?? 0)
  /// }
  /// ```
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification"
  )
  /// Posted by a context when it has merged saved changes, with IDs under ``NSInsertedObjectIDsKey`` and the like.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification"
  )
}

/// The key of the inserted objects (`Set<NSManagedObject>`) in a context's notifications.
public let NSInsertedObjectsKey = "inserted"
/// The key of the changed objects (`Set<NSManagedObject>`) in a context's notifications.
public let NSUpdatedObjectsKey = "updated"
/// The key of the deleted objects (`Set<NSManagedObject>`) in a context's notifications.
public let NSDeletedObjectsKey = "deleted"
/// The key of the objects (`Set<NSManagedObject>`) that were brought up to date and have no changes of their own.
public let NSRefreshedObjectsKey = "refreshed"
/// The key of the objects (`Set<NSManagedObject>`) whose store is gone.
public let NSInvalidatedObjectsKey = "invalidated"
/// The key of the IDs (`[NSManagedObjectID]`) of all objects of a context that was reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// The key of the query generation (``NSQueryGenerationToken``) that a context reads after a save.
public let NSManagedObjectContextQueryGenerationKey = "NSManagedObjectContextQueryGenerationKey"

/// The key of the IDs (`Set<NSManagedObjectID>`) of inserted objects in a context's notifications.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The key of the IDs (`Set<NSManagedObjectID>`) of changed objects in a context's notifications.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The key of the IDs (`Set<NSManagedObjectID>`) of deleted objects in a context's notifications.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The key of the IDs (`Set<NSManagedObjectID>`) of objects that were brought up to date.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The key of the IDs (`Set<NSManagedObjectID>`) of objects whose store is gone.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

extension NSManagedObjectContext {
  /// Posted before a save.
  public static var willSaveObjectsNotification: Notification.Name { .NSManagedObjectContextWillSave }
  /// Posted after a save, with objects.
  public static var didSaveObjectsNotification: Notification.Name { .NSManagedObjectContextDidSave }
  /// Posted after a save, with object IDs.
  public static var didSaveObjectIDsNotification: Notification.Name {
    .NSManagedObjectContextDidSaveObjectIDs
  }
  /// Posted when objects have changed.
  public static var didChangeObjectsNotification: Notification.Name {
    .NSManagedObjectContextObjectsDidChange
  }
  /// Posted when saved changes have been merged, with object IDs.
  public static var didMergeChangesObjectIDsNotification: Notification.Name {
    .NSManagedObjectContextDidMergeChangesObjectIDs
  }

  /// The keys of the `userInfo` of a context's notifications; the raw values are the keys themselves.
  public enum NotificationKey: String, Sendable {
    /// The query generation (``NSQueryGenerationToken``) after a save.
    case queryGeneration = "NSManagedObjectContextQueryGenerationKey"
    /// The IDs (`[NSManagedObjectID]`) of all objects of a context that was reset.
    case invalidatedAllObjects = "invalidatedAll"
    /// Inserted objects (`Set<NSManagedObject>`).
    case insertedObjects = "inserted"
    /// Changed objects (`Set<NSManagedObject>`).
    case updatedObjects = "updated"
    /// Deleted objects (`Set<NSManagedObject>`).
    case deletedObjects = "deleted"
    /// Objects (`Set<NSManagedObject>`) that were brought up to date and have no changes of their own.
    case refreshedObjects = "refreshed"
    /// Objects (`Set<NSManagedObject>`) whose store is gone.
    case invalidatedObjects = "invalidated"
    /// IDs (`Set<NSManagedObjectID>`) of inserted objects.
    case insertedObjectIDs = "inserted_objectIDs"
    /// IDs (`Set<NSManagedObjectID>`) of changed objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// IDs (`Set<NSManagedObjectID>`) of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// IDs (`Set<NSManagedObjectID>`) of objects that were brought up to date.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// IDs (`Set<NSManagedObjectID>`) of objects whose store is gone.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}
