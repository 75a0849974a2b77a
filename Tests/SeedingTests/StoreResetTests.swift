import CoreData
import Foundation
import Seeding
import TestModels
import TestSupport
import Testing

@Suite("Resetting a container's stores")
@MainActor
struct StoreResetTests {
  private let folder: TestFolder
  private let plan = SeedPlan(
    .init("tags", .data(Data("{\"tags\": [{\"name\": \"News\"}]}".utf8), name: "tags.json"))
  )

  init() throws { folder = try TestFolder() }

  private func container(
    _ type: String = NSSQLiteStoreType,
    _ model: NSManagedObjectModel = TestModel.notes()
  ) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Notes.store"))
    description.type = type
    if type == NSInMemoryStoreType { description.url = nil }
    container.persistentStoreDescriptions = [description]
    return container
  }

  private func load(_ container: NSPersistentContainer) {
    container.loadPersistentStores { #expect($1 == nil) }
  }

  private func tags(_ container: NSPersistentContainer) throws -> [String] {
    try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      .compactMap { $0.value(forKey: "name") as? String }.sorted()
  }

  private func insertTag(_ name: String, _ container: NSPersistentContainer) throws {
    let context = container.viewContext
    NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue(name, forKey: "name")
    try context.save()
  }

  @Test(
    "a reset store contains the plan's objects and nothing else",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType]
  )
  func resets(_ type: String) async throws {
    let container = container(type)
    load(container)
    let coordinator = container.persistentStoreCoordinator
    try await plan.run(in: container)
    try insertTag("Mine", container)
    let former = try #require(coordinator.persistentStores.first?.identifier)
    let state = SeedingState()
    let reports = try await container.resetStores(seeding: plan, state: state)
    #expect(reports.map(\.report.total.created) == [1])
    #expect(state.isDone)
    #expect(container.viewContext.registeredObjects.isEmpty)
    #expect(try tags(container) == ["News"])
    let present = coordinator.persistentStores
    #expect(present.count == 1 && present.first?.type == type && present.first?.identifier != former)
    try await container.resetStores()
    #expect(try tags(container) == [])
  }

  @Test("a reset store keeps its options")
  func options() async throws {
    let container = container()
    container.persistentStoreDescriptions[0].setOption(
      true as NSNumber,
      forKey: NSPersistentHistoryTrackingKey
    )
    load(container)
    try insertTag("Mine", container)
    try await container.resetStores(seeding: plan)
    let token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
    #expect(token != nil)
  }

  @Test("a reset is refused while another coordinator has the store open, and the store is unchanged")
  func inUse() async throws {
    let container = container()
    load(container)
    try insertTag("Mine", container)
    let coordinator = container.persistentStoreCoordinator
    let former = coordinator.persistentStores.first?.identifier
    let other = self.container()
    load(other)
    #expect(try tags(other) == ["Mine"])
    let state = SeedingState()
    let thrown = await #expect(throws: SeedError.self) {
      try await container.resetStores(seeding: plan, state: state)
    }
    let error = try #require(thrown)
    #expect(error.code == .storeInUse && state.value == .failed(error))
    #expect(error.description.contains("Notes.store"))
    #expect(coordinator.persistentStores.map(\.identifier) == [former])
    #expect(try tags(container) == ["Mine"])
    for store in other.persistentStoreCoordinator.persistentStores {
      try other.persistentStoreCoordinator.remove(store)
    }
    try await container.resetStores(seeding: plan)
    #expect(try tags(container) == ["News"])
  }

  @Test("an in-memory store keeps its objects if a reset is refused because of another store")
  func inMemoryNextToUsed() async throws {
    let container = container()
    let memory = NSPersistentStoreDescription()
    memory.type = NSInMemoryStoreType
    container.persistentStoreDescriptions.append(memory)
    load(container)
    let stores = container.persistentStoreCoordinator.persistentStores
    let context = container.viewContext
    for store in stores {
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(store.type, forKey: "name")
      context.assign(tag, to: store)
    }
    try context.save()
    let other = self.container()
    load(other)
    #expect(try tags(other) == [NSSQLiteStoreType])
    await #expect(throws: SeedError.self) { try await container.resetStores() }
    #expect(try tags(container) == [NSInMemoryStoreType, NSSQLiteStoreType].sorted())
    try await container.resetStores(force: true)
    #expect(try tags(container) == [])
    #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
  }

  @Test("a forced reset destroys a store that other processes have open")
  func force() async throws {
    let container = container()
    load(container)
    try insertTag("Mine", container)
    let other = self.container()
    load(other)
    #expect(try tags(other) == ["Mine"])
    try await container.resetStores(seeding: plan, force: true)
    #expect(try tags(container) == ["News"])
  }

  @Test("a reset creates a store of another model, which cannot be opened, with the current model")
  func otherModel() async throws {
    let old = container(NSSQLiteStoreType, makeModel([makeEntity("Plant", makeAttribute("name"))]) { _ in })
    load(old)
    for store in old.persistentStoreCoordinator.persistentStores {
      try old.persistentStoreCoordinator.remove(store)
    }
    let container = container()
    container.persistentStoreDescriptions[0].shouldInferMappingModelAutomatically = false
    nonisolated(unsafe) var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure != nil)
    try await container.resetStores(seeding: plan)
    #expect(try tags(container) == ["News"])
  }

  @Test("a reset leaves a read-only store unchanged")
  func readOnly() async throws {
    let first = container()
    load(first)
    try insertTag("Mine", first)
    for store in first.persistentStoreCoordinator.persistentStores {
      try first.persistentStoreCoordinator.remove(store)
    }
    let container = container()
    container.persistentStoreDescriptions[0].isReadOnly = true
    load(container)
    try await container.resetStores()
    #expect(try tags(container) == ["Mine"])
  }

  @Test("a reset whose plan fails leaves an open store without the plan's objects")
  func wrongPlan() async throws {
    let container = container()
    load(container)
    try insertTag("Mine", container)
    let wrong = SeedPlan(.init("wrong", .data(Data("{\"tags\": [{}]}".utf8), name: "wrong.json")))
    let state = SeedingState()
    await #expect(throws: SeedError.self) { try await container.resetStores(seeding: wrong, state: state) }
    guard case .failed = state.value else {
      Issue.record("the state is \(state.value)")
      return
    }
    #expect(try tags(container) == [])
    try insertTag("Mine", container)
    #expect(try tags(container) == ["Mine"])
  }

  @Test(
    "a store on a server is only reset by force",
    .enabled(if: TestStore.Kind.server != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
  )
  func server() async throws {
    let store = try TestStore(.postgreSQL)
    try store.seed("{\"tags\": [{\"name\": \"Mine\"}]}")
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: TestModel.notes())
    let description = NSPersistentStoreDescription(url: try #require(store.url))
    description.type = TestStore.Kind.postgreSQL.storeType
    container.persistentStoreDescriptions = [description]
    load(container)
    let thrown = await #expect(throws: SeedError.self) { try await container.resetStores(seeding: plan) }
    #expect(thrown?.code == .storeInUse)
    #expect(try tags(container) == ["Mine"])
    try await container.resetStores(seeding: plan, force: true)
    #expect(try tags(container) == ["News"])
  }
}
