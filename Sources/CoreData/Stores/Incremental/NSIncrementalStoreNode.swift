public import Foundation

/// The values of one object, as an incremental store answers them.
///
/// See <https://developer.apple.com/documentation/coredata/nsincrementalstorenode>.
// Only its store changes it, and calls to the store are made under a lock.
open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
  /// The ID of the object.
  public final let objectID: NSManagedObjectID
  /// The version of the values, a number that grows with each change of the object, as the store gave it.
  public private(set) final var version: UInt64
  private final var values: [String: Any]

  /// Makes a node.
  ///
  /// - Parameters:
  ///   - objectID: the ID of the object whose values these are.
  ///   - values: by name: attributes as key-value coding has them, to-one relationships as object IDs or `NSNull`.
  ///   - version: a number that grows with each change.
  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    self.values = values
    self.version = version
    super.init()
  }

  /// Replaces the values and the version.
  open func update(withValues values: [String: Any], version: UInt64) {
    self.values = values
    self.version = version
  }

  /// The value of a property: `NSNull` for a to-one relationship without a destination, `nil` for a
  /// property that the node does not contain.
  open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }

  open override var description: String { ObjectHead.text(self) }
}
