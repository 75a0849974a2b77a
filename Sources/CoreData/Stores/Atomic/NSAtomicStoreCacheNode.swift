public import Foundation

/// One record of an atomic store in memory.
///
/// The values of attributes are as key-value coding has them; a to-one relationship is a node or an
/// object ID, a to-many relationship a set, ordered set or array of them. Apple's documentation of
/// `NSAtomicStoreCacheNode`.
// Changed by its store alone, under the store's lock.
open class NSAtomicStoreCacheNode: NSObject, @unchecked Sendable {
  /// The ID of the object that the node is of.
  public final let objectID: NSManagedObjectID

  /// The values by name.
  open var propertyCache: NSMutableDictionary? = NSMutableDictionary()

  /// Makes a node without values.
  public required init(objectID moid: NSManagedObjectID) {
    objectID = moid
    super.init()
  }

  #if !canImport(ObjectiveC)
    /// The value of a property; `nil` for none.
    open func value(forKey key: String) -> Any? { propertyCache?.object(forKey: key) }

    /// Sets the value of a property.
    open func setValue(_ value: Any?, forKey key: String) {
      if let value {
        propertyCache?.setObject(value, forKey: key as NSString)
      } else {
        propertyCache?.removeObject(forKey: key)
      }
    }
  #endif

  open override var description: String { ObjectHead.text(self) }
}
