public import Foundation

extension Notification.Name {
  /// Posted by a context before it saves.
  public static let NSManagedObjectContextWillSave = Notification.Name(
    "NSManagingContextWillSaveChangesNotification"
  )
  /// Posted by a context when it has saved, with the objects under ``NSInsertedObjectsKey`` and the like.
  public static let NSManagedObjectContextDidSave = Notification.Name(
    "NSManagingContextDidSaveChangesNotification"
  )
  /// Posted by a context when objects have changed, with the objects under ``NSInsertedObjectsKey`` and the like.
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification"
  )
}

/// The key of the inserted objects (`Set<NSManagedObject>`) in a context's notifications.
public let NSInsertedObjectsKey = "inserted"
/// The key of the changed objects (`Set<NSManagedObject>`) in a context's notifications.
public let NSUpdatedObjectsKey = "updated"
/// The key of the deleted objects (`Set<NSManagedObject>`) in a context's notifications.
public let NSDeletedObjectsKey = "deleted"

extension NSManagedObjectContext {
  /// Posted before a save.
  public static var willSaveObjectsNotification: Notification.Name { .NSManagedObjectContextWillSave }
  /// Posted after a save.
  public static var didSaveObjectsNotification: Notification.Name { .NSManagedObjectContextDidSave }
  /// Posted when objects have changed.
  public static var didChangeObjectsNotification: Notification.Name {
    .NSManagedObjectContextObjectsDidChange
  }
}
