import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("The write lock and the queues of contexts")
struct WriteOrderTests {
  private let folder: TemporaryFolder
  private let container: NSPersistentContainer

  init() throws {
    folder = try TemporaryFolder()
    container = NSPersistentContainer(name: "Tests", managedObjectModel: TestModel.shared)
    let description = NSPersistentStoreDescription(url: folder.file())
    // No access times out while a slow machine runs the tests.
    description.timeout = 3600
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// Blocks the queue of a context until the semaphore is signalled.
  private func occupy(_ context: NSManagedObjectContext) async -> DispatchSemaphore {
    let (inside, door) = (Signal(), DispatchSemaphore(value: 0))
    context.enqueue {
      inside.send()
      door.wait()
    }
    await inside.wait()
    return door
  }

  private var writeLock: FairWriteLock {
    get throws {
      let store = container.persistentStoreCoordinator.openStores[0] as? SQLiteStore
      return try #require(store).engine().connections.writeLock
    }
  }

  @Test("a write reads through the writing connection, and sees its own saves")
  func reading() async throws {
    let store = try #require(container.persistentStoreCoordinator.openStores[0] as? SQLiteStore)
    let readers = try #require(try store.engine().connections.readers)
    let context = container.newBackgroundContext()
    try await context.performWrite {
      Tag(context: context).name = "first"
      try context.save()
      context.reset()
      let request = NSFetchRequest<Tag>(entityName: "Tag")
      #expect(try context.fetch(request).map(\.name) == ["first"])
      #expect(try context.count(for: request) == 1)
      #expect(readers.count == 0)
    }
    let count = try await context.perform(deadline: .now + .seconds(86_400)) {
      try context.count(for: NSFetchRequest<Tag>(entityName: "Tag"))
    }
    #expect(count == 1)
    #expect(readers.count >= 1)
  }

  @Test(
    "a write that gets the write lock lends it to a save on its queue, which waits for the lock",
    arguments: [false, true]
  )
  func savingOnTheQueue(_ isMain: Bool) async throws {
    let context = isMain ? container.viewContext : container.newBackgroundContext()
    let writeLock = try writeLock
    let call = StoreCall()
    try await writeLock.take(for: call, timeout: 86_400)
    // This task waits for the write lock first, and for the queue afterwards.
    let writing = Task {
      try await context.performWrite(deadline: .now + .seconds(86_400)) {
        Tag(context: context).name = "written"
      }
    }
    while writeLock.waitingCount < 1 { await Task.yield() }
    // This task waits for the write lock while it occupies the queue.
    let saving = Task {
      try await context.perform {
        Tag(context: context).name = "saved"
        try context.save()
      }
    }
    while writeLock.waitingCount < 2 { await Task.yield() }
    writeLock.end(call)
    try await saving.value
    try await writing.value
    #expect(try folder.query("SELECT ZNAME FROM ZTAG ORDER BY Z_PK") == ["saved", "written"])
  }

  @Test("an observer of a write merges it into a context that waits for the write lock")
  func mergingIntoWaiting() async throws {
    let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
    let writeLock = try writeLock
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave,
      object: first,
      queue: nil
    ) { notification in
      second.mergeChanges(fromContextDidSave: notification)
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let call = StoreCall()
    try await writeLock.take(for: call, timeout: 86_400)
    let tasks = [first, second].map { context in
      Task {
        try await context.performWrite(deadline: .now + .seconds(86_400)) { Tag(context: context).name = "t" }
      }
    }
    while writeLock.waitingCount < 2 { await Task.yield() }
    writeLock.end(call)
    for task in tasks { try await task.value }
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [2])
  }

  @Test(
    "writes of one context run in turn, and one that is canceled while it waits for the queue is skipped"
  )
  func sameContext() async throws {
    let context = container.newBackgroundContext()
    let door = await occupy(context)
    let tasks = (0..<20).map { number in
      Task {
        try await context.performWrite(deadline: .now + .seconds(86_400)) {
          Tag(context: context).name = "\(number)"
        }
      }
    }
    for task in tasks[10...] { task.cancel() }
    for task in tasks[10...] { await #expect(throws: CancellationError.self) { try await task.value } }
    door.signal()
    for task in tasks[..<10] { try await task.value }
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [10])
  }

  @Test("calls that ended while waiting leave no work in the queue", arguments: [false, true])
  func gone(_ writes: Bool) async throws {
    let context = container.newBackgroundContext()
    let door = await occupy(context)
    for _ in 0..<10 {
      let before = context.queue.waitingCount
      let tasks = (0..<100).map { _ in
        Task {
          let deadline = ContinuousClock.now + .seconds(86_400)
          if writes {
            try await context.performWrite(deadline: deadline) {}
          } else {
            try await context.perform(deadline: deadline) {}
          }
        }
      }
      while context.queue.waitingCount < before + 100 { await Task.yield() }
      for task in tasks { task.cancel() }
      for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    }
    #expect(context.queue.waitingCount <= 200)
    door.signal()
    await context.perform(schedule: .enqueued) {}
    #expect(context.queue.waitingCount == 0)
  }

  @Test("the parent of a child saves with the write lock that the child has, also on the main queue")
  @MainActor
  func mainParent() async throws {
    let parent = container.viewContext
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    let other = container.newBackgroundContext()
    try await other.performWrite(deadline: .now + .seconds(86_400)) {
      child.performAndWait { Tag(context: child).name = "child" }
      try child.performAndWait {
        try child.save()
        try parent.performAndWait { try parent.save() }
      }
    }
    #expect(try folder.query("SELECT ZNAME FROM ZTAG") == ["child"])
  }

  @Test("a deadline in the far future never fires", arguments: [Int64.max / 4, 10_000_000_000])
  func farDeadline(_ seconds: Int64) async throws {
    let context = container.newBackgroundContext()
    let writeLock = try writeLock
    let call = StoreCall()
    try await writeLock.take(for: call, timeout: 86_400)
    let task = Task {
      try await context.performWrite(deadline: .now + .seconds(seconds)) { Tag(context: context).name = "t" }
    }
    while writeLock.waitingCount < 1 { await Task.yield() }
    writeLock.end(call)
    try await task.value
    #expect(try folder.query("SELECT ZNAME FROM ZTAG") == ["t"])
  }

  @Test("after SQLite has rolled a transaction back, its work saves nothing more")
  func takenBack() throws {
    let coordinator = container.persistentStoreCoordinator
    let error = #expect(throws: NSError.self) {
      try coordinator.performTransaction { context in
        Tag(context: context).name = "first"
        try context.save()
        let transaction = try #require(context.channel as? SQLiteTransaction)
        try transaction.connection.use { try $0.execute(sql: "ROLLBACK") }
        Tag(context: context).name = "second"
        try? context.save()
      }
    }
    #expect(error != nil)
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [0])
  }
}
