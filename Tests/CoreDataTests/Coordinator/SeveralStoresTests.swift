import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Several stores on one coordinator")
struct SeveralStoresTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "perennial-\(UUID().uuidString)"
  )

  /// A model with notes and their related entities in one store, and people in another.
  ///
  /// - Parameter listed: the entities in the configuration of people.
  private func model(_ listed: [String] = ["Person", "Employee"]) -> NSManagedObjectModel {
    let model = TestModel.make()
    let people = model.entities.filter { ["Person", "Employee"].contains($0.name) }
    model.setEntities(model.entities.filter { !people.contains($0) }, forConfigurationName: "Notes")
    model.setEntities(people.filter { listed.contains($0.name ?? "") }, forConfigurationName: "People")
    return model
  }

  private func container(
    _ types: [String],
    _ listed: [String] = ["Person", "Employee"]
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Two", managedObjectModel: model(listed))
    container.persistentStoreDescriptions = zip(["Notes", "People"], types).map { configuration, type in
      let description = NSPersistentStoreDescription(
        url: folder.appendingPathComponent("\(configuration).sqlite")
      )
      description.configuration = configuration
      description.type = type
      return description
    }
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
    return container
  }

  static let pairs = [
    [NSSQLiteStoreType, NSSQLiteStoreType], [NSSQLiteStoreType, NSInMemoryStoreType],
    [NSInMemoryStoreType, NSInMemoryStoreType],
  ]

  private func fill(_ context: NSManagedObjectContext) {
    Note(context: context).title = "one"
    Person(context: context).name = "Ann"
  }

  @Test("objects go to the store whose configuration has their entity", arguments: pairs)
  func configurations(_ types: [String]) throws {
    let container = try container(types)
    defer { try? FileManager.default.removeItem(at: folder) }
    let context = container.newBackgroundContext()
    fill(context)
    try context.save()
    let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    let people = try context.fetch(NSFetchRequest<Person>(entityName: "Person"))
    #expect(notes.map(\.objectID.persistentStore?.configurationName) == ["Notes"])
    #expect(people.map(\.objectID.persistentStore?.configurationName) == ["People"])
  }

  @Test(
    "subentities without a configuration are stored with their superentity",
    arguments: pairs + [[NSXMLStoreType, NSXMLStoreType], [NSBinaryStoreType, NSSQLiteStoreType]]
  )
  func impliedSubentities(_ types: [String]) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let container = try container(types, ["Person"])
    defer { try? FileManager.default.removeItem(at: folder) }
    let context = container.newBackgroundContext()
    fill(context)
    Employee(context: context).name = "Ben"
    try context.save()
    let people = try context.fetch(NSFetchRequest<Person>(entityName: "Person"))
    #expect(people.compactMap(\.name).sorted() == ["Ann", "Ben"])
    #expect(Set(people.map(\.objectID.persistentStore?.configurationName)) == ["People"])
    let model = container.managedObjectModel
    #expect(model.entities(forConfigurationName: "People")?.map(\.name) == ["Person"])
    let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    #expect(notes.count == 1)
  }

  @Test("a store whose configuration named a subentity opens if it is implied, and vice versa")
  func impliedSubentitiesOpen() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for listed in [["Person", "Employee"], ["Person"], ["Person", "Employee"]] {
      let container = try container([NSSQLiteStoreType, NSSQLiteStoreType], listed)
      let context = container.newBackgroundContext()
      Employee(context: context).name = "Ben"
      try context.save()
      for store in container.persistentStoreCoordinator.persistentStores {
        let isCompatible = container.managedObjectModel.isConfiguration(
          withName: store.configurationName,
          compatibleWithStoreMetadata: store.metadata
        )
        #expect(isCompatible)
        try container.persistentStoreCoordinator.remove(store)
      }
    }
    let container = try container([NSSQLiteStoreType, NSSQLiteStoreType], ["Person"])
    let people = try container.viewContext.count(for: NSFetchRequest<Person>(entityName: "Person"))
    #expect(people == 3)
  }

  @Test("a subentity that another configuration names is kept by that one's store alone")
  func separatedSubentities() throws {
    let model = TestModel.make()
    let employee = try #require(model.entitiesByName["Employee"])
    model.setEntities(model.entities.filter { $0 !== employee }, forConfigurationName: "Notes")
    model.setEntities([employee], forConfigurationName: "Staff")
    #expect(model.storedEntities(forConfigurationName: "Notes")?.contains(employee) == false)
    #expect(model.storedEntities(forConfigurationName: "Staff") == [employee])
    #expect(model.storedEntities(forConfigurationName: "None") == nil)
  }

  @Test("a store of one configuration has the tables and version hashes of all entities")
  func tables() throws {
    let container = try container([NSSQLiteStoreType, NSSQLiteStoreType])
    defer { try? FileManager.default.removeItem(at: folder) }
    let hashes = try container.persistentStoreCoordinator.persistentStores.map { store in
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite,
        at: try #require(store.url)
      )
      return (metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() ?? []
    }
    let all = ["Badge", "Category", "Employee", "Note", "Page", "Person", "Tag"]
    #expect(hashes == [all, all])
    for store in container.persistentStoreCoordinator.persistentStores {
      let queue = try SQLiteConnection(path: #require(store.url).path)
      let entities = try queue.read {
        try String.fetchAll($0, sql: "SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY 1")
      }
      #expect(entities == all)
      let tables = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
      #expect(tables.contains("ZNOTE") && tables.contains("ZPERSON"))
    }
  }

  @Test("a save that one store refuses is kept by none", arguments: pairs)
  func allOrNothing(_ types: [String]) throws {
    let container = try container(types)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (context, others) = (container.newBackgroundContext(), container.newBackgroundContext())
    fill(context)
    try context.save()
    let people = NSFetchRequest<Person>(entityName: "Person")
    let notes = NSFetchRequest<Note>(entityName: "Note")
    let (mine, theirs) = (try context.fetch(people), try others.fetch(people))
    #expect(mine.map(\.name) == ["Ann"])
    for person in theirs { person.name = "theirs" }
    try others.save()
    for person in mine { person.name = "ours" }
    Note(context: context).title = "two"
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.code == NSManagedObjectMergeError)
    #expect(try others.fetch(notes).map(\.title) == ["one"])
    #expect(try others.fetch(people).map(\.name) == ["theirs"])
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.save()
    #expect(try others.count(for: notes) == 2)
    #expect(try container.newBackgroundContext().fetch(people).map(\.name) == ["ours"])
  }

  @Test("stores are opened in the background when their descriptions say so")
  func asynchronously() async throws {
    let container = NSPersistentContainer(name: "Later", managedObjectModel: TestModel.shared)
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("later.sqlite"))
    #expect(!description.shouldAddStoreAsynchronously)
    description.shouldAddStoreAsynchronously = true
    container.persistentStoreDescriptions = [description]
    defer { try? FileManager.default.removeItem(at: folder) }
    let loaded: (NSPersistentStoreDescription, (any Error)?) = await withCheckedContinuation { continuation in
      container.loadPersistentStores { description, error in
        continuation.resume(returning: (description, error))
      }
    }
    #expect(loaded.0 === description)
    #expect(loaded.1 == nil)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test("each description is reported, those too whose stores cannot be opened")
  func reports() throws {
    let container = NSPersistentContainer(name: "Reports", managedObjectModel: TestModel.shared)
    let good = NSPersistentStoreDescription(url: folder.appendingPathComponent("good.sqlite"))
    let bad = NSPersistentStoreDescription(url: folder.appendingPathComponent("bad.sqlite"))
    bad.configuration = "Nothing"
    container.persistentStoreDescriptions = [good, bad]
    defer { try? FileManager.default.removeItem(at: folder) }
    var reports: [(NSPersistentStoreDescription, Bool)] = []
    container.loadPersistentStores { reports.append(($0, $1 == nil)) }
    #expect(reports.map(\.0) == [good, bad])
    #expect(reports.map(\.1) == [true, false])
  }

  @Test("a background task has a context of its own, which its block is given")
  func backgroundTask() async throws {
    let container = try container([NSInMemoryStoreType, NSInMemoryStoreType])
    let same = await container.performBackgroundTask { $0 === container.viewContext }
    #expect(!same)
    let kind = await container.performBackgroundTask { $0.concurrencyType }
    #expect(kind == .privateQueueConcurrencyType)
    let names: [String] = await withCheckedContinuation { continuation in
      container.performBackgroundTask { context in
        fill(context)
        continuation.resume(returning: context.insertedObjects.compactMap(\.entity.name).sorted())
      }
    }
    #expect(names == ["Note", "Person"])
  }

  @Test("a background task throws what its block throws")
  func throwing() async throws {
    struct Failure: Error {}
    let container = try container([NSInMemoryStoreType, NSInMemoryStoreType])
    await #expect(throws: Failure.self) { try await container.performBackgroundTask { _ in throw Failure() } }
  }

  @Test("each background context is another one, on the container's coordinator")
  func backgroundContexts() throws {
    let container = try container([NSInMemoryStoreType, NSInMemoryStoreType])
    let (one, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    #expect(one !== other)
    #expect(one.persistentStoreCoordinator === container.persistentStoreCoordinator)
    #expect(one.parent == nil)
  }

  @Test("IDs include those of all affected stores and of unsaved objects in them", arguments: pairs)
  func affectedStores(_ types: [String]) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let stores = try types.enumerated().map { number, type in
      let url = type == NSInMemoryStoreType ? nil : folder.appendingPathComponent("\(number).sqlite")
      return try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let tags = stores.map { store in
      let tag = Tag(context: context)
      tag.name = "t"
      context.assign(tag, to: store)
      return tag
    }
    try context.save()
    func count(_ stores: [NSPersistentStore]?, limit: Int = 0) throws -> Int {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
      request.resultType = .managedObjectIDResultType
      request.includesPropertyValues = false
      request.affectedStores = stores
      request.fetchLimit = limit
      return try context.fetch(request).count
    }
    #expect(try count(nil) == 2)
    #expect(try count(nil, limit: 1) == 1)
    #expect(try count([stores[0]]) == 1)
    tags[1].name = "u"
    #expect(try count([stores[0]]) == 1)
    #expect(try count([stores[1]]) == 1)
    context.delete(tags[0])
    #expect(try count([stores[0]]) == 0)
    #expect(try count(nil) == 1)
  }
}
