import CoreData
import Foundation

enum objc_AssociationPolicy { case OBJC_ASSOCIATION_RETAIN_NONATOMIC, OBJC_ASSOCIATION_COPY_NONATOMIC }

/// The associated objects of one object, by their keys.
private final class AssociatedObjects {
  var byKey: [UnsafeRawPointer: AnyObject] = [:]
}

nonisolated(unsafe) private let associations = NSMapTable<AnyObject, AssociatedObjects>.weakToStrongObjects()
private let associationLock = NSLock()

func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
  associationLock.withLock { associations.object(forKey: object as AnyObject)?.byKey[key] }
}

func objc_setAssociatedObject(
  _ object: Any,
  _ key: UnsafeRawPointer,
  _ value: AnyObject?,
  _ policy: objc_AssociationPolicy
) {
  let object = object as AnyObject
  // A replaced object is released outside of the lock, because its deinitializer may use associated objects.
  let replaced = associationLock.withLock {
    let own = associations.object(forKey: object) ?? AssociatedObjects()
    associations.setObject(own, forKey: object)
    return (own.byKey.removeValue(forKey: key), own.byKey[key] = value)
  }
  withExtendedLifetime(replaced) {}
}

extension NSManagedObject {
  /// The names that a property must not have.
  private static let ownNames: Set = [
    "entity", "objectID", "managedObjectContext", "hasChanges", "isInserted", "isUpdated", "isDeleted",
    "isFault",
    "description", "hash",
  ]

  static func instancesRespond(to selector: Selector) -> Bool { ownNames.contains(selector.description) }
}

/// Returns whether a class is another class or a subclass of it.
func isClass(_ type: AnyClass, below other: AnyClass) -> Bool {
  var next: AnyClass? = type
  while let current = next {
    if current == other { return true }
    next = _getSuperclass(current)
  }
  return false
}
