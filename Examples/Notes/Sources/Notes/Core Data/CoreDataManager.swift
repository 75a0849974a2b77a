import CoreData

final class CoreDataManager: @unchecked Sendable {

  // MARK: - Properties

  private let modelName: String

  // MARK: -

  private let folder: URL?

  // MARK: -

  let operationQueue = OperationQueue()

  // MARK: - Configuration

  private let destroyPersistentStore: Bool

  // MARK: - Initialization

  /// The store is in the given folder, or in the user's documents.
  init(modelName: String, folder: URL? = nil, destroyPersistentStore: Bool = false) {
    self.modelName = modelName
    self.folder = folder
    self.destroyPersistentStore = destroyPersistentStore
  }

  // MARK: - Core Data Stack

  private(set) lazy var mainManagedObjectContext: NSManagedObjectContext = {
    // Initialize Managed Object Context
    let managedObjectContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)

    // Configure Managed Object Context
    managedObjectContext.parent = self.privateManagedObjectContext

    return managedObjectContext
  }()

  private lazy var privateManagedObjectContext: NSManagedObjectContext = {
    // Initialize Managed Object Context
    let managedObjectContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

    // Configure Managed Object Context
    managedObjectContext.persistentStoreCoordinator = self.persistentStoreCoordinator

    return managedObjectContext
  }()

  private lazy var managedObjectModel: NSManagedObjectModel = {
    // Fetch Model URL
    let modelURL =
      Bundle.module.url(forResource: self.modelName, withExtension: "momd")
      ?? Bundle.module.url(forResource: self.modelName, withExtension: "xcdatamodeld")

    guard let modelURL else {
      fatalError("Unable to Find Data Model")
    }

    // Initialize Managed Object Model
    guard let managedObjectModel = NSManagedObjectModel(contentsOf: modelURL) else {
      fatalError("Unable to Load Data Model")
    }

    return managedObjectModel
  }()

  private lazy var persistentStoreCoordinator: NSPersistentStoreCoordinator = {
    // Initialize Persistent Store Coordinator
    let persistentStoreCoordinator = NSPersistentStoreCoordinator(
      managedObjectModel: self.managedObjectModel
    )

    // Helpers
    let fileManager = FileManager.default
    let storeName = "\(self.modelName).sqlite"

    // URL Documents Directory
    let documentsDirectoryURL =
      self.folder ?? fileManager.urls(for: .documentDirectory, in: .userDomainMask)[0]

    // URL Persistent Store
    let persistentStoreURL = documentsDirectoryURL.appendingPathComponent(storeName)

    do {
      // Outside of Apple's platforms a user may have no folder of documents.
      try fileManager.createDirectory(at: documentsDirectoryURL, withIntermediateDirectories: true)
    } catch {
      fatalError("Unable to Create Documents Directory (\(error))")
    }

    if destroyPersistentStore {
      do {
        // Destroy Persistent Store
        try persistentStoreCoordinator.destroyPersistentStore(
          at: persistentStoreURL,
          ofType: NSSQLiteStoreType,
          options: nil
        )
      } catch {
        fatalError("Unable to Destroy Persistent Store (\(error))")
      }
    }

    do {
      let options = [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
      ]

      // Add Persistent Store
      try persistentStoreCoordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: persistentStoreURL,
        options: options
      )
    } catch {
      fatalError("Unable to Add Persistent Store (\(error))")
    }

    return persistentStoreCoordinator
  }()

  // MARK: - Saving

  func saveChanges() {
    for managedObjectContext in [mainManagedObjectContext, privateManagedObjectContext] {
      managedObjectContext.performAndWait {
        do {
          if managedObjectContext.hasChanges {
            try managedObjectContext.save()
          }
        } catch {
          print("Unable to Save Changes of Managed Object Context (\(error))")
        }
      }
    }
  }
}
