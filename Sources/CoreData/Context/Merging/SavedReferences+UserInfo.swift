import Foundation

extension SavedReferences {
  /// Reads the user info of a notification, which may contain objects, IDs or addresses of IDs.
  ///
  /// Objects that the context's stores do not have are left out.
  init(_ userInfo: [AnyHashable: Any], for context: NSManagedObjectContext) {
    func references(_ keys: String...) -> [ObjectReference] {
      keys.flatMap { key in
        Self.elements(userInfo[key]).compactMap { Self.reference($0, for: context) }
      }
    }
    inserted = references(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
    updated = references(
      NSUpdatedObjectsKey,
      NSUpdatedObjectIDsKey,
      NSRefreshedObjectsKey,
      NSRefreshedObjectIDsKey,
      NSInvalidatedObjectsKey,
      NSInvalidatedObjectIDsKey
    )
    deleted = references(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
    isEverything = userInfo[NSInvalidatedAllObjectsKey] != nil
  }

  private static func elements(_ value: Any?) -> [Any] {
    switch value {
    case let set as Set<NSManagedObject>: Array(set)
    case let set as Set<AnyHashable>: set.map(\.base)
    case let set as NSSet: set.allObjects
    case let array as [Any]: array
    case let array as NSArray: array.map(\.self)
    default: []
    }
  }

  private static func reference(_ element: Any, for context: NSManagedObjectContext) -> ObjectReference? {
    let reference: ObjectReference? =
      switch element {
      // The reference of a saved object never changes, so that it can be read while its own context uses it.
      case let object as NSManagedObject
      where object.registry.coordinatorNumber == context.registry.coordinatorNumber:
        object.reference
      case let object as NSManagedObject: context.reference(of: object.objectID)
      case let objectID as NSManagedObjectID: context.reference(of: objectID)
      case let url as URL: objectID(url, context: context).map(context.reference(of:))
      case let url as NSURL: objectID(url as URL, context: context).map(context.reference(of:))
      default: nil
      }
    guard let reference, context.canHave(reference) else { return nil }
    return reference
  }

  private static func objectID(_ url: URL, context: NSManagedObjectContext) -> NSManagedObjectID? {
    context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
  }
}

extension NSManagedObjectContext {
  /// Returns true when a reference that came from elsewhere can name an object of this context.
  final func canHave(_ reference: ObjectReference) -> Bool {
    reference.isTemporary ? parentSet != nil : reference.store != ObjectReference.noStore
  }
}
