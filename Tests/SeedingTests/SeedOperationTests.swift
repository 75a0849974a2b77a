import CoreData
import Foundation
import Synchronization
import Testing

@testable import Seeding

@Suite("The seed operation")
struct SeedOperationTests {
  /// Runs an operation on a queue and returns its completion's result.
  private func run(
    _ context: NSManagedObjectContext,
    _ source: SeedSource
  ) async -> (success: Bool, result: Result<SeedReport, SeedError>?) {
    let queue = OperationQueue()
    let success = Mutex<Bool?>(nil)
    let operation = await withCheckedContinuation {
      (continuation: CheckedContinuation<SeedOperation, Never>) in
      let operation = SeedOperation(with: context, seed: source) { value in
        success.withLock { $0 = value }
      }
      operation.completionBlock = { [unowned operation] in continuation.resume(returning: operation) }
      queue.addOperation(operation)
    }
    return (success.withLock { $0 } ?? false, operation.result)
  }

  private func count(_ entity: String, in context: NSManagedObjectContext) throws -> Int {
    try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
  }

  @Test("a seed operation works in a private child of the main context, and the store gets all objects")
  @MainActor
  func mainContext() async throws {
    let store = try TestStore(.sqlite)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = store.coordinator

    let (success, result) = await run(context, .file(ExampleSeed.url))
    #expect(success)
    #expect(try result?.get().total.created == 50)
    #expect(try count("Note", in: context) == 36)
    #expect(!context.hasChanges)
    #expect(try store.count("Note") == 36)
  }

  @Test("a seed operation saves through all contexts between the given one and the store")
  func nested() async throws {
    let store = try TestStore(.sqlite)
    let root = store.newContext()
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.parent = root

    let (success, _) = await run(context, .file(ExampleSeed.url))
    #expect(success)
    #expect(!root.performAndWait { root.hasChanges })
    #expect(try store.noteLines().count == 36)
    #expect(SeedLedger(metadata: store.metadata).entries.count == 1)
  }

  @Test("a second seed operation finds the seed in the store and succeeds without inserting")
  func twice() async throws {
    let store = try TestStore()
    let context = store.newContext()
    #expect(await run(context, .file(ExampleSeed.url)).success)
    let (success, result) = await run(context, .file(ExampleSeed.url))
    #expect(success)
    #expect(try result?.get().total.skipped == 50)
    #expect(try store.count("Note") == 36)
  }

  @Test("a seed operation can refer to unsaved objects, and saves them, too")
  func unsavedObjects() async throws {
    let store = try TestStore()
    let context = store.newContext()
    context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue(
        "News",
        forKey: "name"
      )
    }
    let json = "{\"notes\": [{\"title\": \"One\", \"tags\": [\"News\"]}]}"
    #expect(await run(context, .data(Data(json.utf8), name: "seed.json")).success)
    #expect(try store.noteLines() == ["One|-|News"])
    #expect(try store.count("Tag") == 1)
  }

  @Test("a seed operation with an error leaves the context and the store unchanged")
  func failure() async throws {
    let store = try TestStore()
    let context = store.newContext()
    let json = "{\"tags\": [{\"name\": \"News\"}], \"notes\": [{\"contents\": \"no title\"}]}"
    let (success, result) = await run(context, .data(Data(json.utf8), name: "seed.json"))
    #expect(!success)
    guard case .failure(let error)? = result else {
      Issue.record("the operation did not fail")
      return
    }
    #expect(error.code == .invalidObject)
    #expect(!context.performAndWait { context.hasChanges })
    #expect(try store.count("Tag") == 0)
  }

  @Test("if the context cannot be saved, the seed's changes are removed and the context's own changes stay")
  func parentCannotSave() async throws {
    let store = try TestStore()
    let context = store.newContext()
    try store.seed(
      "{\"categories\": [{\"name\": \"Swift\", \"colorAsHex\": \"000000\"}]}",
      name: "before.json"
    )
    let pending = context.performAndWait {
      // A tag requires a name, so the context cannot be saved yet.
      NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).objectID
    }
    let json = "{\"categories\": [{\"name\": \"Swift\", \"colorAsHex\": \"FFFFFF\"}, {\"name\": \"iOS\"}]}"
    let (success, result) = await run(context, .data(Data(json.utf8), name: "seed.json"))
    #expect(!success)
    guard case .failure(let error)? = result else { return }
    #expect(error.description.contains("Tag, key \"name\""), "\(error)")

    context.performAndWait {
      #expect(context.insertedObjects.map(\.objectID) == [pending])
      #expect(context.updatedObjects.isEmpty)
    }
    #expect(try store.values("Category", "colorAsHex") == ["000000"])
    #expect(SeedLedger(metadata: store.metadata).entries.map(\.name) == ["before.json"])
  }

  @Test("a cancelled seed operation does not seed")
  func cancelled() throws {
    let store = try TestStore()
    let success = Mutex<Bool?>(nil)
    let operation = SeedOperation(with: store.newContext(), seed: .file(ExampleSeed.url)) { value in
      success.withLock { $0 = value }
    }
    operation.cancel()
    operation.main()
    #expect(success.withLock { $0 } == false)
    #expect(try store.count("Note") == 0)
  }

  @Test("concurrent seed operations import the seed once")
  func sideBySide() async throws {
    let store = try TestStore()
    let context = store.newContext()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 4
    let operations = (0..<4).map { _ in SeedOperation(with: context, seed: .file(ExampleSeed.url)) }
    for operation in operations { queue.addOperation(operation) }
    await withCheckedContinuation { continuation in
      queue.addBarrierBlock { continuation.resume() }
    }
    let created = operations.map { (try? $0.result?.get().total.created) ?? -1 }
    #expect(created.sorted() == [0, 0, 0, 50])
  }
}
