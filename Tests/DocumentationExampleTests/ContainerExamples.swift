import CoreData
import Foundation
import Testing

@Suite("Examples of containers and descriptions of stores")
struct ContainerExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  @MainActor
  @Test("a container opens its store and has a context")
  func container() throws {
    // example: NSPersistentContainer.swift class NSPersistentContainer:
    let container = NSPersistentContainer(name: "Notes")
    container.loadPersistentStores { description, error in
      if let error { fatalError("\(description.url?.path ?? "the store"): \(error)") }
    }
    container.viewContext.automaticallyMergesChangesFromParent = true
    let notes = try container.viewContext.fetch(NSFetchRequest<Note>(entityName: "Note"))
    print(notes.map(\.title))
    // end
    #expect(notes.isEmpty)
  }

  @Test("a container takes a model that was made or read before")
  func model() throws {
    // example: NSPersistentContainer.swift init(name: String, managedObjectModel
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    print(container.persistentStoreDescriptions[0].url?.lastPathComponent ?? "")  // Notes.sqlite
    // end
    #expect(container.persistentStoreDescriptions[0].url?.lastPathComponent == "Notes.sqlite")
  }

  @Test("a test has a store in memory")
  func descriptions() throws {
    // example: NSPersistentContainer.swift var persistentStoreDescriptions
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    let memory = NSPersistentStoreDescription()
    memory.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [memory]
    container.loadPersistentStores { _, error in
      if let error { print(error) }
    }
    // end
    #expect(container.persistentStoreCoordinator.persistentStores.map(\.type) == [NSInMemoryStoreType])
  }

  @Test("a subclass chooses the folder of its stores")
  func folderOfStores() throws {
    // example: NSPersistentContainer.swift class func defaultDirectoryURL
    final class GardenContainer: NSPersistentContainer, @unchecked Sendable {
      override class func defaultDirectoryURL() -> URL { URL(fileURLWithPath: "/var/lib/garden") }
    }
    let container = GardenContainer(name: "Garden", managedObjectModel: model)
    print(container.persistentStoreDescriptions[0].url?.path ?? "")  // /var/lib/garden/Garden.sqlite
    // end
    #expect(container.persistentStoreDescriptions[0].url?.path == "/var/lib/garden/Garden.sqlite")
  }

  @Test("a container reports a store that cannot be opened")
  func loadPersistentStores() throws {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder)]
    let show = Shown<String>()
    // example: NSPersistentContainer.swift func loadPersistentStores
    container.loadPersistentStores { description, error in
      guard let error else { return }
      show("\(description.url?.path ?? "the store"): \(error.localizedDescription)")
    }
    // end
    #expect(show.values.count == 1)
  }

  @MainActor
  @Test("the view context is used on the main queue")
  func viewContext() throws {
    // example: NSPersistentContainer.swift let viewContext
    let context = container.viewContext
    let notes = try context.fetch(Note.fetchRequest())
    print(notes.map(\.title))
    // end
    #expect(notes.count == 3)
  }

  @Test("a background context has a queue of its own")
  func newBackgroundContext() async throws {
    // example: NSPersistentContainer.swift func newBackgroundContext
    let importer = container.newBackgroundContext()
    importer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let count = try await importer.perform {
      try importer.count(for: Note.fetchRequest())
    }
    // end
    #expect(count == 3)
  }

  @Test("a background task is not waited for")
  func performBackgroundTask() async throws {
    let titles: [String] = await withCheckedContinuation { done in
      showTitles { done.resume(returning: $0) }
    }
    #expect(titles.count == 3)
  }

  private func showTitles(_ show: @escaping @Sendable ([String]) -> Void) {
    // example: NSPersistentContainer.swift open func performBackgroundTask(
    container.performBackgroundTask { context in
      do {
        let notes = try context.fetch(Note.fetchRequest())
        show(notes.map(\.title))
      } catch {
        show(["the notes cannot be read: \(error.localizedDescription)"])
      }
    }
    // end
  }

  @Test("a background task has a result")
  func performBackgroundTaskWithResult() async throws {
    // example: NSPersistentContainer.swift func performBackgroundTask<Result
    let count = try await container.performBackgroundTask { context in
      Note(context: context).title = "Mend the fence"
      try context.save()
      return try context.count(for: Note.fetchRequest())
    }
    // end
    #expect(count == 4)
  }

  @Test("a container for CloudKit is one of a store that is not mirrored")
  func cloudKitContainer() throws {
    // example: NSPersistentCloudKitContainer.swift class NSPersistentCloudKitContainer:
    let container = NSPersistentCloudKitContainer(name: "Notes")
    container.persistentStoreDescriptions[0].cloudKitContainerOptions =
      NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.com.example.Notes")
    container.loadPersistentStores { _, error in
      if let error { print("the notes cannot be opened: \(error)") }
    }
    // end
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test("a description has the options of a store")
  func description() throws {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    // example: NSPersistentStoreDescription.swift class NSPersistentStoreDescription:
    let file = folder.appendingPathComponent("Notes.sqlite")
    let description = NSPersistentStoreDescription(url: file)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { description, error in
      if let error { print("\(description.url?.path ?? ""): \(error)") }
    }
    // end
    #expect(
      container.persistentStoreCoordinator.persistentStores.first?.url?.lastPathComponent == "Notes.sqlite"
    )
  }

  @Test("a description without an address is one of a store in memory")
  func descriptionInMemory() {
    // example: NSPersistentStoreDescription.swift override init()
    let memory = NSPersistentStoreDescription()
    print(memory.type, memory.url?.path ?? "")  // SQLite /dev/null
    // end
    #expect(memory.type == NSSQLiteStoreType && memory.url?.path == "/dev/null")
  }

  @Test("a description names the type of the store")
  func type() throws {
    // example: NSPersistentStoreDescription.swift var type: String
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.xml"))
    description.type = NSXMLStoreType
    // end
    coordinator.addPersistentStore(with: description) { #expect($1 == nil) }
    #expect(coordinator.persistentStores.last?.type == NSXMLStoreType)
  }

  @Test("options change the defaults of a description")
  func setOption() {
    // example: NSPersistentStoreDescription.swift func setOption
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    // end
    #expect(description.options[NSPersistentHistoryTrackingKey] == true as NSNumber)
  }

  @Test("a store that is read alone refuses saves")
  func isReadOnly() throws {
    let file = folder.appendingPathComponent("Notes.sqlite")
    let store = try coordinator.addPersistentStore(type: .sqlite, at: file)
    try coordinator.remove(store)
    // example: NSPersistentStoreDescription.swift var isReadOnly
    let description = NSPersistentStoreDescription(url: file)
    description.isReadOnly = true
    // end
    coordinator.addPersistentStore(with: description) { #expect($1 == nil) }
    #expect(coordinator.persistentStores.last?.isReadOnly == true)
  }

  @Test("a description sets how long the store waits for others")
  func timeout() {
    // example: NSPersistentStoreDescription.swift var timeout
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
    description.timeout = 5
    // end
    #expect(description.timeout == 5)
  }

  @Test("a store of an older model is not migrated if that is switched off")
  func migration() {
    // example: NSPersistentStoreDescription.swift var shouldMigrateStoreAutomatically
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
    description.shouldMigrateStoreAutomatically = false
    // end
    #expect(!description.shouldMigrateStoreAutomatically)
  }

  @Test("SQLite's own settings go with the store")
  func pragmas() {
    // example: NSPersistentStoreDescription.swift forPragmaNamed
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
    description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    // end
    #expect(description.sqlitePragmas["synchronous"] == "FULL" as NSString)
  }
}
