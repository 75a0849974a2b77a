public import Foundation
import Synchronization

/// A model, its coordinator and its contexts, set up together.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Notes")
/// container.loadPersistentStores { description, error in
///   if let error { fatalError("\(description.url?.path ?? "the store"): \(error)") }
/// }
/// container.viewContext.automaticallyMergesChangesFromParent = true
/// let notes = try container.viewContext.fetch(NSFetchRequest<Note>(entityName: "Note"))
/// print(notes.map(\.title))
/// ```
///
/// Apple's documentation of `NSPersistentContainer`.
// Its descriptions are behind a lock, and everything else is set once. Subclasses answer for what
// they add.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// The name of the container, and of its store unless the descriptions are changed.
  public final let name: String

  /// The context of the main queue.
  public final let viewContext: NSManagedObjectContext

  /// The model.
  public final let managedObjectModel: NSManagedObjectModel

  /// The coordinator.
  public final let persistentStoreCoordinator: NSPersistentStoreCoordinator

  /// The stores that ``loadPersistentStores(completionHandler:)`` opens: one SQLite store in the
  /// default folder unless set.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
    get { descriptions.withLock { $0 } }
    set { descriptions.withLock { $0 = newValue } }
  }

  private final let descriptions: Mutex<[NSPersistentStoreDescription]>

  /// Makes a container for a model.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    managedObjectModel = model
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    descriptions = Mutex([NSPersistentStoreDescription(url: url)])
    super.init()
  }

  /// Makes a container for the model of that name in the program's resources; all its models merged
  /// where there is none of that name.
  public convenience init(name: String) {
    self.init(name: name, managedObjectModel: Self.model(named: name))
  }

  /// The folder for stores: one named after the program in the user's folder for application data.
  open class func defaultDirectoryURL() -> URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let folder = folders.first ?? FileManager.default.temporaryDirectory
    let program = Bundle.main.executableURL?.deletingPathExtension().lastPathComponent
    return folder.appendingPathComponent(program ?? "CoreData", isDirectory: true)
  }

  private static func model(named name: String) -> NSManagedObjectModel {
    if let url = ModelLocator.model(named: name, in: nil) {
      do {
        return try NSManagedObjectModel.load(contentsOf: url)
      } catch {
        fatalError("the model \(name) cannot be read: \(error.localizedDescription)")
      }
    }
    if let merged = NSManagedObjectModel.mergedModel(from: nil) { return merged }
    fatalError(
      """
      no model named \(name) is among the program's resources in \
      \(ModelLocator.folders(of: nil).map(\.path).joined(separator: ", ")); add \(name).xcdatamodeld to the target, \
      or use init(name:managedObjectModel:).
      """
    )
  }

  /// Opens the stores, and makes those that are not there.
  ///
  /// - Parameter block: called for each store when it is open, or with the error that kept it from
  ///   being.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions { load(description, completionHandler: block) }
  }

  /// Opens one store.
  func load(
    _ description: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    if let url = description.url, !description.isReadOnly,
      let storeClass = try? StoreTypes.storeClass(of: description.type) as? any PreparableStore.Type
    {
      storeClass.preparePlace(url)
    }
    persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
  }

  /// A new context with a queue of its own, on the same coordinator.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs work in a new background context, and does not wait for it.
  @preconcurrency open func performBackgroundTask(
    _ block: @escaping @Sendable (NSManagedObjectContext) -> Void
  ) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs work in a new background context, and suspends the caller until it is done.
  ///
  /// - Throws: what the work throws.
  @preconcurrency nonisolated(nonsending) public final func performBackgroundTask<Result, Failure: Error>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let context = newBackgroundContext()
    return try await context.perform { () throws(Failure) in try block(context) }
  }

  open override var description: String { ObjectHead.text(self, [("name", name)]) }
}
