import CoreData
import Foundation
import Testing

// Two targets compile this file, one in the Swift 6 and one in the Swift 5 language mode, because applications use both.

/// A stack in memory with objects of one entity.
private final class Stack: Sendable {
  let container: NSPersistentContainer

  init() throws {
    let entity = NSEntityDescription()
    entity.name = "Item"
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    entity.properties = [name]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    container = NSPersistentContainer(name: "callers", managedObjectModel: model)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    nonisolated(unsafe) var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  var background: NSManagedObjectContext { container.newBackgroundContext() }
}

/// A context that runs all work immediately, as the tests of an application do.
private final class ImmediateContext: NSManagedObjectContext, @unchecked Sendable {
  override func perform(_ block: @escaping @Sendable () -> Void) { performAndWait(block) }
}

private struct Failure: Error, Equatable {}

@MainActor
@Suite("Work that the main actor hands to other queues")
struct CallerTests {
  private let stack: Stack
  private let names = ["b", "c", "a"]

  init() throws { stack = try Stack() }

  @Test("Awaited work on a context runs on its queue, with nested closures")
  func awaited() async {
    let names = names
    let sorted = await stack.background.perform { names.sorted { $0 > $1 } }
    #expect(sorted == ["c", "b", "a"])
    let enqueued = await stack.background.perform(schedule: .enqueued) { names.map { $0 + "!" } }
    #expect(enqueued == ["b!", "c!", "a!"])
  }

  @Test("Work on a context runs on its queue when a callback returns the result")
  func callback() async {
    let names = names
    let context = stack.background
    let sorted = await withCheckedContinuation { continuation in
      context.perform { continuation.resume(returning: names.sorted { $0 > $1 }) }
    }
    #expect(sorted == ["c", "b", "a"])
  }

  @Test("Work on a context runs on its queue while the caller waits")
  func waiting() throws {
    let names = names
    #expect(stack.background.performAndWait { names.sorted { $0 > $1 } } == ["c", "b", "a"])
    #expect(throws: Failure.self) { try stack.background.performAndWait { throw Failure() } }
    stack.background.performAndWait { _ = names.sorted { $0 > $1 } }
  }

  @Test("Work in a background task runs both awaited and with a callback")
  func backgroundTask() async throws {
    let names = names
    let count = try await stack.container.performBackgroundTask { context in
      for name in names.sorted(by: { $0 > $1 }) {
        NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(
          name,
          forKey: "name"
        )
      }
      try context.save()
      return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
    }
    #expect(count == 3)
    let container = stack.container
    let found = await withCheckedContinuation { continuation in
      container.performBackgroundTask { context in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        continuation.resume(
          returning: ((try? context.fetch(request)) ?? []).filter { $0.hasChanges == false }.count
        )
      }
    }
    #expect(found == 3)
  }

  @Test("Work on the coordinator's queue returns its result")
  func coordinator() async throws {
    let coordinator = stack.container.persistentStoreCoordinator
    let names = names
    let count: Int = coordinator.performAndWait { names.filter { $0 > "a" }.count }
    #expect(count == 2)
    #expect(await coordinator.perform { names.filter { $0 > "a" }.count } == 2)
    await #expect(throws: Failure.self) { try await coordinator.perform { throw Failure() } }
    let first = await withCheckedContinuation { continuation in
      coordinator.perform { continuation.resume(returning: names.min { $0 < $1 }) }
    }
    #expect(first == "a")
    // A block may call the coordinator again: the inner block runs immediately.
    #expect(coordinator.performAndWait { coordinator.performAndWait { 3 } } == 3)
  }

  @Test("Work on a context rethrows its errors, and may return a value that is not Sendable")
  func results() async throws {
    await #expect(throws: Failure.self) { try await stack.background.perform { throw Failure() } }
    let context = stack.container.viewContext
    let object = await context.perform {
      NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
    }
    #expect(object.managedObjectContext === context)
  }

  @Test("Work on a context runs as a subclass of the context overrides it")
  func overridden() {
    let context = ImmediateContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    nonisolated(unsafe) var hasRun = false
    context.perform { hasRun = true }
    #expect(hasRun)
  }
}
