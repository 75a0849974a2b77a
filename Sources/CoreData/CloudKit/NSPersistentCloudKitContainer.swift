public import Foundation

/// A container whose stores CloudKit mirrors on Apple's platforms. It behaves as on a device that
/// is not signed in to iCloud: the stores are local and have a history, and the event of their
/// set-up ends with the error for a missing account.
///
/// A model that CloudKit cannot mirror keeps its store from being opened, as there. Apple's
/// documentation of `NSPersistentCloudKitContainer`.
///
/// ```swift
/// let container = NSPersistentCloudKitContainer(name: "Notes")
/// container.persistentStoreDescriptions[0].cloudKitContainerOptions =
///   NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.com.example.Notes")
/// container.loadPersistentStores { _, error in
///   if let error { print("the notes cannot be opened: \(error)") }
/// }
/// ```
// It adds no state to its superclass.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  /// Makes a container for a model. Its store has a history unless the description is changed. There are no
  /// entitlements that could name a CloudKit container, so that the description has no options for one.
  public override init(name: String, managedObjectModel model: NSManagedObjectModel) {
    super.init(name: name, managedObjectModel: model)
    for description in persistentStoreDescriptions { Self.trackHistory(description) }
  }

  /// Opens a store. One with options for CloudKit must have a model that can be mirrored, gets a
  /// history, and is set up.
  override func load(
    _ description: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    guard description.cloudKitContainerOptions != nil else { return super.load(description, completionHandler: block) }
    if let failure = CloudKitModelCheck(model: managedObjectModel, description: description).failure {
      return block(description, failure)
    }
    Self.trackHistory(description)
    super.load(description) { description, error in
      block(description, error)
      if error == nil { self.setUp(description) }
    }
  }

  private static func trackHistory(_ description: NSPersistentStoreDescription) {
    if description.options[NSPersistentHistoryTrackingKey] == nil {
      description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    }
  }

  private func setUp(_ description: NSPersistentStoreDescription) {
    guard let url = description.url,
      let store = persistentStoreCoordinator.persistentStores.last(where: { $0.url == url })
    else { return }
    persistentStoreCoordinator.cloudKitEvents.setUp(store.identifier, of: self)
  }

  // MARK: - What CloudKit has of the store

  /// Checks that CloudKit can have the model's record types, and would send them to it.
  ///
  /// - Parameter options: `dryRun` for the check alone, `printSchema` to print the record types and their fields.
  /// - Throws: an error in `NSCocoaErrorDomain`: 134060 for a model that CloudKit cannot mirror, or where no store has
  ///   options for CloudKit; 134400 without `dryRun`, because no user is signed in to iCloud.
  open func initializeCloudKitSchema(options: NSPersistentCloudKitContainerSchemaInitializationOptions = []) throws {
    let mirrored = persistentStoreDescriptions.filter { $0.cloudKitContainerOptions != nil }
    if mirrored.isEmpty {
      throw StoreFailure.incompatibleSchema(
        "no store of the container \(name) is mirrored; set the cloudKitContainerOptions of its description."
      )
    }
    for description in mirrored {
      if let failure = CloudKitModelCheck(model: managedObjectModel, description: description).failure {
        throw failure
      }
      if options.contains(.printSchema) {
        print(CloudKitSchema(managedObjectModel, configuration: description.configuration).text)
      }
    }
    if !options.contains(.dryRun) { throw CloudKitEvents.noAccount }
  }

  /// Returns true when the object with an ID may be changed. Every object in a writable store may
  /// be changed, because no object is shared with other users.
  open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
    objectID.persistentStore.map(canModifyManagedObjects) ?? true
  }

  /// Returns true when the object with an ID may be deleted. Every object in a writable store may
  /// be deleted, because no object is shared with other users.
  open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
    canUpdateRecord(forManagedObjectWith: objectID)
  }

  /// Returns true when the objects of a store may be changed, which is so for every writable store.
  open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { !store.isReadOnly }
}

/// The options of ``NSPersistentCloudKitContainer/initializeCloudKitSchema(options:)``.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The model is checked, and nothing is sent.
  public static let dryRun = Self(rawValue: 1 << 1)

  /// The record types are printed.
  public static let printSchema = Self(rawValue: 1 << 2)
}

/// The options that name the CloudKit container which mirrors a store.
///
/// Apple's documentation of `NSPersistentCloudKitContainerOptions`. Here it is kept and nothing is mirrored.
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

  open override var description: String { ObjectHead.text(self, [("containerIdentifier", containerIdentifier)]) }
}
