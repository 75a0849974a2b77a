import CoreData
import Dispatch
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import CoreData

@Suite("Work with a deadline")
struct DeadlineTests {
  private func container(_ folder: TemporaryFolder) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Tests", managedObjectModel: TestModel.shared)
    let description = NSPersistentStoreDescription(url: folder.file())
    // Only the deadlines of calls may expire, because thousands of tests may run between two steps of this one.
    description.timeout = 86_400
    container.persistentStoreDescriptions = [description]
    let failure = Mutex<(any Error)?>(nil)
    container.loadPersistentStores { _, error in failure.withLock { $0 = error } }
    if let error = failure.withLock({ $0 }) { throw error }
    return container
  }

  private func writeLock(_ container: NSPersistentContainer) throws -> FairWriteLock {
    try #require(container.persistentStoreCoordinator.openStores[0] as? SQLiteStore).engine().connections
      .writeLock
  }

  private func code(_ work: () async throws -> Void) async -> Int? {
    do {
      try await work()
      return nil
    } catch {
      return error is CancellationError ? -1 : (error as NSError).code
    }
  }

  @Test("work with a deadline returns its result and throws its errors", arguments: StoreKind.allCases)
  func answer(_ kind: StoreKind) async throws {
    struct Failure: Error {}
    let stack = try Stack(kind)
    let deadline = ContinuousClock.now + .seconds(86_400)
    #expect(try await stack.context.perform(deadline: deadline) { stack.note("one").title } == "one")
    await #expect(throws: Failure.self) {
      try await stack.context.perform(deadline: deadline) { throw Failure() }
    }
    try await stack.context.save(deadline: deadline)
    try await stack.context.performWrite(deadline: deadline) { _ = stack.note("two") }
    try await stack.context.perform(deadline: deadline) {
      #expect(!stack.context.hasChanges)
      let count = try stack.fetch(Note.self).count
      #expect(count == 2)
    }
  }

  @Test("work does not begin if its queue is busy until its deadline")
  func busyQueue() async {
    let context = NSManagedObjectContext(.privateQueue)
    let (inside, door) = (Signal(), DispatchSemaphore(value: 0))
    context.enqueue {
      inside.send()
      door.wait()
    }
    await inside.wait()
    let hasBegun = Mutex(false)
    let code = await code {
      try await context.perform(deadline: .now + .milliseconds(20)) { hasBegun.withLock { $0 = true } }
    }
    #expect(code == NSPersistentStoreTimeoutError)
    door.signal()
    await context.perform(schedule: .enqueued) {}
    #expect(!hasBegun.withLock { $0 })
  }

  @Test("work does not begin if its task is canceled before")
  func cancelledInQueue() async {
    let context = NSManagedObjectContext(.privateQueue)
    let door = DispatchSemaphore(value: 0)
    context.enqueue { door.wait() }
    let task = Task {
      try await context.perform(deadline: .now + .seconds(86_400)) { Issue.record("has begun") }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    door.signal()
    await context.perform(schedule: .enqueued) {}
  }

  @Test("three hundred writers that wait for another process do not block readers")
  func crowd() async throws {
    let folder = try TemporaryFolder()
    let container = try container(folder)
    let writeLock = try writeLock(container)
    let lock = try ForeignLock(folder.file())
    let tasks = (0..<300).map { number in
      Task {
        try await container.performBackgroundWrite(deadline: .now + .seconds(86_400)) { context in
          Tag(context: context).name = "\(number)"
        }
      }
    }
    while writeLock.waitingCount < 299 { await Task.yield() }
    let count = try await container.performBackgroundTask(deadline: .now + .seconds(86_400)) { context in
      try context.count(for: NSFetchRequest<Tag>(entityName: "Tag"))
    }
    #expect(count == 0)
    for task in tasks[150...] { task.cancel() }
    for task in tasks[150...] { await #expect(throws: CancellationError.self) { try await task.value } }
    try lock.release()
    for task in tasks[..<150] { try await task.value }
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [150])
  }

  @Test("each of many writers ends at its own deadline, and its changes are kept")
  func giveUp() async throws {
    let folder = try TemporaryFolder()
    let container = try container(folder)
    let lock = try ForeignLock(folder.file())
    let contexts = (0..<20).map { _ in container.newBackgroundContext() }
    await withTaskGroup(of: Int?.self) { group in
      for (number, context) in contexts.enumerated() {
        group.addTask {
          await context.perform { Tag(context: context).name = "\(number)" }
          return await code { try await context.save(deadline: .now + .milliseconds(50)) }
        }
      }
      for await code in group { #expect(code == NSPersistentStoreTimeoutError) }
    }
    try lock.release()
    for context in contexts {
      #expect(await context.perform { context.hasChanges })
      try await context.save(deadline: .now + .seconds(86_400))
    }
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [20])
  }

  @Test("a save in a task that is cancelled does not wait for another process any longer")
  func cancelledSave() async throws {
    let folder = try TemporaryFolder()
    let container = try container(folder)
    let lock = try ForeignLock(folder.file())
    let context = container.newBackgroundContext()
    let isSaving = Signal()
    let task = Task {
      try await context.perform {
        Tag(context: context).name = "t"
        isSaving.send()
        try context.save()
      }
    }
    await isSaving.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await context.perform { context.hasChanges })
    try lock.release()
    try await context.perform { try context.save() }
    #expect(try folder.query("SELECT ZNAME FROM ZTAG") == ["t"])
  }

  @Test("a save in a canceled task succeeds if it does not have to wait")
  func cancelledSaveAlone() async throws {
    let folder = try TemporaryFolder()
    let container = try container(folder)
    let context = container.newBackgroundContext()
    try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await context.perform {
        Tag(context: context).name = "t"
        try context.save()
      }
    }
    .value
    #expect(try folder.query("SELECT ZNAME FROM ZTAG") == ["t"])
  }

  @Test("a write does not see other contexts change the values that it reads")
  func readModifyWrite() async throws {
    let folder = try TemporaryFolder()
    let container = try container(folder)
    try await container.performBackgroundWrite { context in
      let note = Note(context: context)
      note.title = "count"
      note.rating = 0
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          try await container.performBackgroundWrite { context in
            try context.fetch(NSFetchRequest<Note>(entityName: "Note"))[0].rating += 1
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.query("SELECT ZRATING FROM ZNOTE") == [40])
  }

  @Test(
    "a save whose time is over, or whose task is cancelled, when all is written commits nothing",
    arguments: [true, false]
  )
  func endBeforeCommit(_ isCancelled: Bool) async throws {
    let folder = try TemporaryFolder()
    let container = try container(folder)
    let store = try #require(container.persistentStoreCoordinator.openStores[0] as? SQLiteStore)
    let call = StoreCall(deadline: isCancelled ? nil : .now + .milliseconds(20), isBounded: true)
    let error = call.run {
      #expect(throws: StoreCallEnded.self) {
        try SQLiteWriteSession.run(in: store, through: store.engine().connections) { session in
          try session.database.execute(sql: "UPDATE Z_METADATA SET Z_VERSION = 77")
          if isCancelled { call.cancel() }
          while call.end == nil {}
        }
      }
    }
    #expect(error?.subject == StoreCall.aboutToCommit)
    #expect(try folder.query("SELECT Z_VERSION FROM Z_METADATA") == [1])
  }

  @Test("a reader waits while another context reads the same state", arguments: [true, false])
  func sharedState(_ isCancelled: Bool) async throws {
    let folder = try TemporaryFolder()
    let container = try container(folder)
    let store = try #require(container.persistentStoreCoordinator.openStores[0] as? SQLiteStore)
    let state = try #require(store.snapshot() as? SQLiteSnapshot)
    let (inside, door) = (Signal(), DispatchSemaphore(value: 0))
    Thread {
      try? state.readOnce { _ in
        inside.send()
        door.wait()
      }
    }
    .start()
    await inside.wait()
    let call = StoreCall(deadline: isCancelled ? nil : .now + .milliseconds(20), isBounded: true)
    let error: (any Error)? = await withCheckedContinuation { continuation in
      Thread {
        let result = call.run { Result { try state.readOnce { _ in } } }
        guard case .failure(let error) = result else { return continuation.resume(returning: nil) }
        continuation.resume(returning: error)
      }
      .start()
      if isCancelled { call.cancel() }
    }
    #expect((error as? StoreCallEnded).map { $0.end == (isCancelled ? .cancelled : .late) } == true)
    door.signal()
    try state.readOnce { _ in }
  }

  @Test("a write whose work throws saves nothing, and releases the write lock")
  func throwingWrite() async throws {
    struct Failure: Error {}
    let folder = try TemporaryFolder()
    let container = try container(folder)
    await #expect(throws: Failure.self) {
      try await container.performBackgroundWrite { context in
        Tag(context: context).name = "t"
        throw Failure()
      }
    }
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [0])
    try await container.performBackgroundWrite { Tag(context: $0).name = "u" }
    #expect(try folder.query("SELECT ZNAME FROM ZTAG") == ["u"])
  }
}
