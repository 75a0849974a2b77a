import CoreData
import Foundation
import Testing

@Suite("Persistent containers")
struct ContainerTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "perennial-\(UUID().uuidString)"
  )

  private func container(_ url: URL? = nil) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Test", managedObjectModel: TestModel.shared)
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: url ?? folder.appendingPathComponent("a/b/Test.sqlite"))
    ]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  @Test("a container describes one SQLite store of its name in the default folder, which migrates")
  func description() throws {
    let container = NSPersistentContainer(name: "Test", managedObjectModel: TestModel.shared)
    let description = try #require(container.persistentStoreDescriptions.first)
    #expect(container.persistentStoreDescriptions.count == 1)
    #expect(description.type == NSSQLiteStoreType)
    #expect(
      description.url == NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("Test.sqlite")
    )
    #expect(description.shouldMigrateStoreAutomatically)
    #expect(description.shouldInferMappingModelAutomatically)
    #expect(!description.isReadOnly)
  }

  @Test("a container makes the folder of its store, and shares the store among its contexts")
  func contexts() async throws {
    let container = try container()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
    try await container.performBackgroundTask { context in
      let tag = Tag(context: context)
      tag.name = "t"
      try context.save()
    }
    let view = container.viewContext
    let names = try await view.perform { try view.fetch(NSFetchRequest<Tag>(entityName: "Tag")).map(\.name) }
    #expect(names == ["t"])
    let background = container.newBackgroundContext()
    let count = try await background.perform {
      try background.count(for: NSFetchRequest<Tag>(entityName: "Tag"))
    }
    #expect(count == 1)
  }

  @Test("a container reports the error of a store that cannot be opened")
  func failure() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("no.sqlite")
    try Data(repeating: 65, count: 5000).write(to: url)
    let error = #expect(throws: NSError.self) { try container(url) }
    #expect(error?.localizedDescription.contains(url.path) == true)
  }
}
