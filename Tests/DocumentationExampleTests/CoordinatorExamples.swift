import CoreData
import Foundation
import Testing

@Suite("Examples of coordinators and stores")
struct CoordinatorExamples: NotebookExamples {
  let notebook: Notebook

  /// A deadline that even the slowest machine meets.
  private var requestDeadline: ContinuousClock.Instant { .now + .seconds(7_200) }

  init() throws { notebook = try Notebook(NSSQLiteStoreType) }

  @Test("a coordinator opens a store for its contexts")
  func coordinator() async throws {
    // example: NSPersistentStoreCoordinator.swift class NSPersistentStoreCoordinator:
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: folder.appendingPathComponent("Notes.sqlite"))

    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let count = try await context.perform {
      try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
    }
    // end
    #expect(count == 0)
  }

  @Test("a store is opened by the name of its type")
  func addByName() throws {
    // example: NSPersistentStoreCoordinator.swift func addPersistentStore(
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: folder.appendingPathComponent("Archive.sqlite"),
      options: [NSPersistentHistoryTrackingKey: true]
    )
    print(store.identifier ?? "")
    // end
    #expect(store.type == NSSQLiteStoreType && store.identifier != nil)
  }

  @Test("a store in memory needs no place")
  func addInMemory() throws {
    // example: NSPersistentStoreCoordinator+Types.swift func addPersistentStore(type
    let scratch = try coordinator.addPersistentStore(type: .inMemory)
    print(coordinator.persistentStores.count)  // 2
    // end
    #expect(coordinator.persistentStores.last === scratch)
  }

  @Test("a store is opened by a description")
  func addByDescription() throws {
    // example: NSPersistentStoreCoordinator+Types.swift func addPersistentStore(with
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Archive.sqlite"))
    description.isReadOnly = false
    coordinator.addPersistentStore(with: description) { description, error in
      print(error?.localizedDescription ?? "\(description.url?.lastPathComponent ?? "") is open")
    }
    // end
    #expect(coordinator.persistentStores.count == 2)
  }

  @Test("a store that was removed is closed")
  func remove() throws {
    // example: NSPersistentStoreCoordinator.swift func remove(_ store
    for store in coordinator.persistentStores {
      try coordinator.remove(store)
    }
    // end
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test("an open store is found by its address")
  func storeForURL() throws {
    let url = coordinator.persistentStores[0].url ?? folder
    // example: NSPersistentStoreCoordinator.swift func persistentStore(for
    let store = coordinator.persistentStore(for: url)
    print(store?.isReadOnly ?? true)  // false
    // end
    #expect(store === coordinator.persistentStores[0])
  }

  @Test("an ID is found by its URI")
  func managedObjectID() throws {
    // example: NSPersistentStoreCoordinator.swift func managedObjectID(forURIRepresentation
    let address = note.objectID.uriRepresentation()
    if let id = coordinator.managedObjectID(forURIRepresentation: address) {
      print(context.object(with: id).value(forKey: "title") ?? "")
    }
    // end
    #expect(coordinator.managedObjectID(forURIRepresentation: address) == note.objectID)
  }

  @Test("metadata are kept with the next save")
  func setMetadata() throws {
    // example: NSPersistentStoreCoordinator.swift func setMetadata(_ metadata: [String: Any]?, for store
    let store = coordinator.persistentStores[0]
    var metadata = coordinator.metadata(for: store)
    metadata["lastImport"] = "2026-03-08"
    coordinator.setMetadata(metadata, for: store)  // the next save keeps it
    // end
    #expect(coordinator.metadata(for: store)["lastImport"] as? String == "2026-03-08")
  }

  @Test("metadata are read without opening the store")
  func metadata() throws {
    let url = coordinator.persistentStores[0].url ?? folder
    // example: NSPersistentStoreCoordinator+Types.swift func metadataForPersistentStore(type
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    if !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
      print("the store was made with another version of the model")
    }
    // end
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test("a store is destroyed")
  func destroy() throws {
    // example: NSPersistentStoreCoordinator+Types.swift func destroyPersistentStore
    let url = folder.appendingPathComponent("Cache.sqlite")
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    try coordinator.remove(store)
    try coordinator.destroyPersistentStore(at: url, type: .sqlite)
    // end
    let empty = try coordinator.addPersistentStore(type: .sqlite, at: url)
    let request = Note.fetchRequest()
    request.affectedStores = [empty]
    #expect(try context.count(for: request) == 0)
  }

  @Test("a copy of one store takes the place of another")
  func replace() throws {
    let backup = folder.appendingPathComponent("Backup.sqlite")
    let store = coordinator.persistentStores[0]
    try coordinator.backUpPersistentStore(store, to: backup)
    let url = store.url ?? folder
    // example: NSPersistentStoreCoordinator+Moving.swift sourceOptions: [AnyHashable: Any]? = nil, type
    try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: backup, type: .sqlite)
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    // end
    #expect(try savedTitles().count == 3)
  }

  @Test("a store moves into a file of another type")
  func migrate() throws {
    // example: NSPersistentStoreCoordinator+Moving.swift to storeURL: URL, options
    let store = coordinator.persistentStores[0]
    let file = folder.appendingPathComponent("Notes.xml")
    let xml = try coordinator.migratePersistentStore(store, to: file, type: .xml)
    print(xml.type, coordinator.persistentStores.count)  // XML 1
    // end
    #expect(xml.type == NSXMLStoreType && coordinator.persistentStores.count == 1)
  }

  @Test("work of the coordinator has a result")
  func perform() async throws {
    // example: NSPersistentStoreCoordinator.swift func perform<Result
    let places = await coordinator.perform {
      coordinator.persistentStores.compactMap(\.url?.lastPathComponent)
    }
    // end
    #expect(places == ["Notebook.sqlite"])
  }

  @Test("many saves are kept together")
  func performTransaction() throws {
    // example: NSPersistentStoreCoordinator+Transaction.swift func performTransaction<Result>
    try coordinator.performTransaction { context in
      for number in 1...1_000 {
        Note(context: context).title = "Note \(number)"
        guard number.isMultiple(of: 250) else { continue }
        try context.save()
        context.reset()
      }
    }
    // end
    #expect(try savedTitles().count == 1_003)
  }

  @Test("a store is backed up while it is open")
  func backUp() async throws {
    // example: NSPersistentStoreCoordinator+Backup.swift func backUpPersistentStore(_ store
    let store = coordinator.persistentStores[0]
    let place = folder.appendingPathComponent("Backup.sqlite")
    let backup = try await coordinator.perform {
      try coordinator.backUpPersistentStore(store, to: place, replacingBackup: true)
    }
    print("\(backup.byteCount) bytes, as of \(backup.date)")
    // end
    #expect(backup.byteCount > 0 && backup.identifier == store.identifier)
  }

  @Test("stores are closed in order")
  func close() async throws {
    // example: NSPersistentStoreCoordinator+Closing.swift func close(grace
    try await container.persistentStoreCoordinator.close(grace: .seconds(5))
    // end
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test("a store that is well has no problems")
  func health() async throws {
    // example: NSPersistentStoreCoordinator+Monitoring.swift func health(
    for store in container.persistentStoreCoordinator.persistentStores {
      let health = try await container.persistentStoreCoordinator
        .health(of: store, deadline: requestDeadline)
      for problem in health.problems { print(problem) }
    }
    // end
    let store = coordinator.persistentStores[0]
    #expect(try await coordinator.health(of: store, deadline: requestDeadline).isUsable)
  }

  @Test("a store reports its current work")
  func activity() throws {
    // example: StoreActivity.swift struct StoreActivity
    let store = coordinator.persistentStores[0]
    let activity = try coordinator.activity(of: store)
    print(activity.waitingWriterCount, activity.logByteCount)
    // end
    #expect(activity.waitingWriterCount == 0 && activity.logByteCount > 0)
  }

  @Test("a store is kept in order")
  func maintenance() throws {
    // example: StoreMaintenance.swift struct StoreMaintenance:
    let store = coordinator.persistentStores[0]
    let aWeekAgo = Date(timeIntervalSinceNow: -604_800)
    let report = try coordinator.maintainPersistentStore(store, .all, deletingHistoryBefore: aWeekAgo)
    print(report.deletedTransactionCount, report.releasedByteCount)
    // end
    #expect(report.deletedTransactionCount == 0 && report.byteCount > 0)
  }

  @Test("limits define a problem of a store's health")
  func healthLimits() async throws {
    let store = coordinator.persistentStores[0]
    // example: StoreHealth.swift struct StoreHealthLimits
    var limits = StoreHealthLimits()
    limits.historyTransactionCount = 0
    let health = try await coordinator.health(of: store, limits: limits, deadline: requestDeadline)
    print(health.problems.map(\.kind))  // [longHistory]
    // end
    #expect(health.problems.map(\.kind) == [.longHistory] && health.isUsable)
  }

  #if PostgreSQL
    @Test("a description of a store in PostgreSQL names a database")
    func postgreSQL() {
      // example: NSPostgreSQLStoreType.swift let NSPostgreSQLStoreType
      let description = NSPersistentStoreDescription()
      description.type = NSPostgreSQLStoreType
      description.url = URL(string: "postgresql://shop@db.example.com/shop")
      // end
      #expect(description.url?.host == "db.example.com")
    }
  #endif
}
