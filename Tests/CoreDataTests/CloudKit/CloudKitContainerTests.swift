import CoreData
import Foundation
import TestModels
import TestSupport
import Testing

@Suite("A container for CloudKit without an account")
struct CloudKitContainerTests {
  typealias Event = NSPersistentCloudKitContainer.Event

  /// A container with a store in its own folder, which is removed with the container.
  private final class Place {
    let container: NSPersistentCloudKitContainer
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "perennial-\(UUID().uuidString)"
    )

    init(_ model: NSManagedObjectModel, isMirrored: Bool = true) {
      container = NSPersistentCloudKitContainer(name: "Notes", managedObjectModel: model)
      let description = container.persistentStoreDescriptions[0]
      description.url = folder.appendingPathComponent("Notes.sqlite")
      if isMirrored {
        description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
          containerIdentifier: "iCloud.com.example.Notes"
        )
      }
    }

    deinit {
      for store in container.persistentStoreCoordinator.persistentStores {
        try? container.persistentStoreCoordinator.remove(store)
      }
      try? FileManager.default.removeItem(at: folder)
    }

    func load() throws {
      var failure: (any Error)?
      container.loadPersistentStores { _, error in failure = error }
      if let failure { throw failure }
    }

    /// Loads the stores, and waits for the two notifications of an event.
    func loadAndListen() async throws -> [Event] {
      let (told, continuation) = AsyncStream.makeStream(of: Event.self)
      let observer = NotificationCenter.default.addObserver(
        forName: NSPersistentCloudKitContainer.eventChangedNotification,
        object: container,
        queue: nil
      ) { notice in
        let event = notice.userInfo?[NSPersistentCloudKitContainer.eventNotificationUserInfoKey] as? Event
        if let event { continuation.yield(event) }
        if event?.endDate != nil { continuation.finish() }
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      try load()
      var events: [Event] = []
      for await event in told { events.append(event) }
      return events
    }
  }

  private static func model(_ change: (NSEntityDescription, NSEntityDescription) -> Void = { _, _ in })
    -> NSManagedObjectModel
  {
    let (note, tag) = (makeEntity("Note"), makeEntity("Tag"))
    let rating = makeAttribute("rating", .integer64AttributeType, optional: false, default: 0)
    let tags = makeRelationship("tags", to: tag, toMany: true)
    let owner = makeRelationship("note", to: note)
    connect(tags, owner)
    note.properties = [makeAttribute("title"), rating, tags]
    tag.properties = [owner]
    change(note, tag)
    let model = NSManagedObjectModel()
    model.entities = [note, tag]
    return model
  }

  @MainActor
  @Test("a CloudKit container's store has a history, whatever its options", arguments: [true, false])
  func history(isMirrored: Bool) throws {
    let place = Place(Self.model(), isMirrored: isMirrored)
    try place.load()
    let context = place.container.viewContext
    _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    try context.save()
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
    request.resultType = .count
    let result = try context.execute(request) as? NSPersistentHistoryResult
    #expect(result?.result as? Int == 1)
  }

  @Test(
    "a CloudKit container enables the history for a description with options, unless that disables it"
  )
  func historyOption() throws {
    let place = Place(Self.model())
    let description = NSPersistentStoreDescription(url: place.folder.appendingPathComponent("Other.sqlite"))
    description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
      containerIdentifier: "iCloud.a"
    )
    place.container.persistentStoreDescriptions = [description]
    try place.load()
    #expect(description.options[NSPersistentHistoryTrackingKey] as? Bool == true)
    let local = NSPersistentCloudKitContainer(name: "Local", managedObjectModel: Self.model())
    let none = NSPersistentStoreDescription(url: place.folder.appendingPathComponent("Third.sqlite"))
    none.setOption(NSNumber(value: false), forKey: NSPersistentHistoryTrackingKey)
    local.persistentStoreDescriptions = [none]
    local.loadPersistentStores { _, error in #expect(error == nil) }
    #expect(none.options[NSPersistentHistoryTrackingKey] as? Bool == false)
  }

  @Test("a CloudKit container reports that the setup began, and that it failed without an account")
  func events() async throws {
    let place = Place(Self.model())
    let events = try await place.loadAndListen()
    let store = try #require(place.container.persistentStoreCoordinator.persistentStores.first)
    #expect(events.map(\.type) == [.setup, .setup])
    #expect(events[0].identifier == events[1].identifier)
    #expect(events.map(\.storeIdentifier) == [store.identifier, store.identifier])
    #expect(events[0].endDate == nil && events[0].error == nil && !events[0].succeeded)
    let error = try #require(events[1].error as NSError?)
    #expect(events[1].endDate != nil && !events[1].succeeded)
    #expect(error.domain == NSCocoaErrorDomain && error.code == 134400)
  }

  @Test("a CloudKit container answers requests for all events, later ones, counts, and by a predicate")
  func eventRequests() async throws {
    let place = Place(Self.model())
    let event = try await place.loadAndListen()[1]
    let context = place.container.viewContext
    func events(_ request: NSPersistentCloudKitContainerEventRequest) throws -> [Event]? {
      (try context.execute(request) as? NSPersistentCloudKitContainerEventResult)?.result as? [Event]
    }
    #expect(try events(.fetchEvents(after: nil as Event?))?.map(\.identifier) == [event.identifier])
    #expect(try events(.fetchEvents(after: event))?.isEmpty == true)
    #expect(try events(.fetchEvents(after: Date.distantPast))?.count == 1)
    let fetch = NSPersistentCloudKitContainerEventRequest.fetchForEvents()
    fetch.predicate = NSPredicate(format: "succeeded == NO AND type == 0")
    fetch.sortDescriptors = [NSSortDescriptor(key: "startDate", ascending: true)]
    #expect(try events(.fetchEvents(matchingFetch: fetch))?.count == 1)
    fetch.predicate = NSPredicate(format: "type == 1")
    let count = NSPersistentCloudKitContainerEventRequest.fetchEvents(matchingFetch: fetch)
    count.resultType = .countEvents
    let result = try context.execute(count) as? NSPersistentCloudKitContainerEventResult
    #expect(result?.result as? Int == 0)
    fetch.predicate = NSPredicate(format: "size == 1")
    #expect(throws: NSError.self) { try events(.fetchEvents(matchingFetch: fetch)) }
  }

  @Test(
    "a CloudKit container refuses a model that cannot be mirrored, and names the obstacle",
    arguments: [
      ("title", "optional or have a default"), ("rating", "undefined type"),
      ("Note", "uniqueness constraints"),
      ("tags", "optional"), ("note", "inverse"), ("ordered", "ordered"), ("deny", "Deny"),
    ]
  )
  func models(place: String, rule: String) throws {
    let model = Self.model { note, tag in
      switch place {
      case "title": note.attributesByName["title"]?.isOptional = false
      case "rating":
        note.attributesByName["rating"]?.attributeType = .objectIDAttributeType
        note.attributesByName["rating"]?.defaultValue = nil
      case "Note": note.uniquenessConstraints = [["title"]]
      case "tags": note.relationshipsByName["tags"]?.isOptional = false
      case "note":
        note.relationshipsByName["tags"]?.inverseRelationship = nil
        tag.relationshipsByName["note"]?.inverseRelationship = nil
      case "ordered": note.relationshipsByName["tags"]?.isOrdered = true
      default: note.relationshipsByName["tags"]?.deleteRule = .denyDeleteRule
      }
    }
    let stores = Place(model)
    let error = try #require(#expect(throws: NSError.self) { try stores.load() })
    #expect(error.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(error.localizedDescription.contains(rule))
    #expect(error.localizedDescription.contains("Note"))
    #expect(!FileManager.default.fileExists(atPath: stores.folder.path))
    #expect(throws: NSError.self) { try stores.container.initializeCloudKitSchema(options: .dryRun) }
  }

  @Test("a CloudKit container mirrors SQLite stores only")
  func storeType() throws {
    let place = Place(Self.model())
    place.container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    let error = #expect(throws: NSError.self) { try place.load() }
    #expect(error?.localizedDescription.contains("only SQLite stores") == true)
  }

  @Test("a CloudKit container checks the schema, and cannot upload it")
  func schema() throws {
    let place = Place(Self.model())
    try place.container.initializeCloudKitSchema(options: .dryRun)
    let error = #expect(throws: NSError.self) { try place.container.initializeCloudKitSchema() }
    #expect(error?.code == 134400)
    let local = Place(Self.model(), isMirrored: false)
    #expect(throws: NSError.self) { try local.container.initializeCloudKitSchema(options: .dryRun) }
  }

  @MainActor
  @Test("the objects of a writable CloudKit store can be changed")
  func permissions() throws {
    let place = Place(Self.model())
    try place.load()
    let container = place.container
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: container.viewContext)
    #expect(container.canUpdateRecord(forManagedObjectWith: note.objectID))
    try container.viewContext.save()
    #expect(container.canDeleteRecord(forManagedObjectWith: note.objectID))
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    #expect(container.canModifyManagedObjects(in: store))
    try container.persistentStoreCoordinator.remove(store)
    container.persistentStoreDescriptions[0].isReadOnly = true
    try place.load()
    let readOnly = try #require(container.persistentStoreCoordinator.persistentStores.first)
    #expect(!container.canModifyManagedObjects(in: readOnly))
  }

  @Test("descriptions with other options for CloudKit are not equal, and copies keep them")
  func descriptions() {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/a.sqlite"))
    let other = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/a.sqlite"))
    description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
      containerIdentifier: "iCloud.a"
    )
    #expect(description != other)
    #expect(description == description.copy() as? NSPersistentStoreDescription)
    other.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.a")
    #expect(description == other)
  }
}
