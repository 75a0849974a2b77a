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
// A lock protects its descriptions, and everything else is set once. Subclasses are responsible for
// the state that they add.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// The name of the container, and of its store unless the descriptions are changed.
  public final let name: String

  /// The context of the main queue.
  ///
  /// ```swift
  /// let context = container.viewContext
  /// let notes = try context.fetch(Note.fetchRequest())
  /// print(notes.map(\.title))
  /// ```
  public final let viewContext: NSManagedObjectContext

  /// The model.
  public final let managedObjectModel: NSManagedObjectModel

  /// The coordinator.
  public final let persistentStoreCoordinator: NSPersistentStoreCoordinator

  /// The stores that ``loadPersistentStores(completionHandler:)`` opens: one SQLite store in the
  /// default folder unless set.
  ///
  /// ```swift
  /// let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
  /// let memory = NSPersistentStoreDescription()
  /// memory.type = NSInMemoryStoreType
  /// container.persistentStoreDescriptions = [memory]
  /// container.loadPersistentStores { _, error in
  ///   if let error { print(error) }
  /// }
  /// ```
  open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
    get { descriptions.withLock { $0 } }
    set { descriptions.withLock { $0 = newValue } }
  }

  private final let descriptions: Mutex<[NSPersistentStoreDescription]>

  /// Makes a container for a model.
  ///
  /// ```swift
  /// let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
  /// print(container.persistentStoreDescriptions[0].url?.lastPathComponent ?? "")  // Notes.sqlite
  /// ```
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

  /// Makes a container for the model of that name among the program's resources.
  ///
  /// A program that has no such model, or several different ones, stops with a message that lists the searched places,
  /// because a store must not be created from another target's model. The resources are searched in this order:
  ///
  /// 1. those of the target that declares the container's class, for a subclass;
  /// 2. those of the main bundle, and of the program's own target;
  /// 3. those of the other targets that the program contains.
  public convenience init(name: String) { self.init(name: name, managedObjectModel: Self.model(named: name)) }

  /// The folder for stores: one named after the program in the user's folder for application data.
  ///
  /// ```swift
  /// final class GardenContainer: NSPersistentContainer, @unchecked Sendable {
  ///   override class func defaultDirectoryURL() -> URL { URL(fileURLWithPath: "/var/lib/garden") }
  /// }
  /// let container = GardenContainer(name: "Garden", managedObjectModel: model)
  /// print(container.persistentStoreDescriptions[0].url?.path ?? "")  // /var/lib/garden/Garden.sqlite
  /// ```
  open class func defaultDirectoryURL() -> URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let folder = folders.first ?? FileManager.default.temporaryDirectory
    let program = Bundle.main.executableURL?.deletingPathExtension().lastPathComponent
    return folder.appendingPathComponent(program ?? "CoreData", isDirectory: true)
  }

  private static func model(named name: String) -> NSManagedObjectModel {
    do {
      return try ContainerModel.model(named: name, for: self)
    } catch let failure as ContainerModel.Failure {
      fatalError("\(failure)")
    } catch {
      fatalError("the model \(name) cannot be read: \(error.localizedDescription)")
    }
  }

  /// Opens the stores, and creates the stores that do not exist.
  ///
  /// ```swift
  /// container.loadPersistentStores { description, error in
  ///   guard let error else { return }
  ///   show("\(description.url?.path ?? "the store"): \(error.localizedDescription)")
  /// }
  /// ```
  ///
  /// - Parameter block: called for each store when it is open, or with the error that kept it from being.
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
  ///
  /// ```swift
  /// let importer = container.newBackgroundContext()
  /// importer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// let count = try await importer.perform {
  ///   try importer.count(for: Note.fetchRequest())
  /// }
  /// ```
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs work in a new background context, and does not wait for it.
  ///
  /// ```swift
  /// container.performBackgroundTask { context in
  ///   do {
  ///     let notes = try context.fetch(Note.fetchRequest())
  ///     show(notes.map(\.title))
  ///   } catch {
  ///     show(["the notes cannot be read: \(error.localizedDescription)"])
  ///   }
  /// }
  /// ```
  @preconcurrency open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs work in a new background context, and suspends the caller until it is done.
  ///
  /// ```swift
  /// let count = try await container.performBackgroundTask { context in
  ///   Note(context: context).title = "Mend the fence"
  ///   try context.save()
  ///   return try context.count(for: Note.fetchRequest())
  /// }
  /// ```
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
