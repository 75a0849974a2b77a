public import Foundation

/// The options that name the CloudKit container which mirrors a store.
///
/// Apple's documentation of `NSPersistentCloudKitContainerOptions`. Here it is kept and nothing is
/// mirrored.
open class NSPersistentCloudKitContainerOptions: NSObject {
  /// The identifier of the CloudKit container.
  public final let containerIdentifier: String

  /// Makes options for a CloudKit container.
  ///
  /// - Parameter containerIdentifier: such as `iCloud.com.example.Notes`.
  public init(containerIdentifier: String) {
    self.containerIdentifier = containerIdentifier
    super.init()
  }

  /// Options are equal when they name the same container.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentCloudKitContainerOptions)?.containerIdentifier == containerIdentifier
  }

  open override var hash: Int { containerIdentifier.hashValue }

  open override var description: String {
    ObjectHead.text(self, [("containerIdentifier", containerIdentifier)])
  }
}
