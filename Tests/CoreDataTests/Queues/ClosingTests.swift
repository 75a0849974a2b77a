import CoreData
import Dispatch
import Foundation
import SQLiteDriver
import Synchronization
import Testing

@testable import CoreData

@Suite("Closing a coordinator")
struct ClosingTests {
  private func coordinator(_ folder: TemporaryFolder) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    // No call times out before the store is closed.
    let options = [NSPersistentStoreTimeoutOption: NSNumber(value: 86_400)]
    try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
    return coordinator
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func connections(_ coordinator: NSPersistentStoreCoordinator) throws -> SQLiteConnections {
    try #require(coordinator.openStores[0] as? SQLiteStore).engine().connections
  }

  /// Runs work on its own thread, because it may block.
  private func onThread(_ work: @escaping @Sendable () throws -> Void) -> Task<Void, any Error> {
    Task {
      try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try work() }) }.start()
      }
    }
  }

  @Test("closing moves the log into the file, and removes the stores", arguments: StoreKind.allCases)
  func closes(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    _ = stack.note("one")
    try stack.save()
    try await stack.coordinator.close()
    #expect(stack.coordinator.persistentStores.isEmpty)
    #expect(throws: (any Error).self) { try stack.fetch(Note.self, in: stack.newContext()) }
  }

  @Test("closing removes external data files without a row")
  func releasedFiles() async throws {
    let folder = try TemporaryFolder()
    let coordinator = try coordinator(folder)
    let engine = try #require(coordinator.openStores[0] as? SQLiteStore).engine()
    let name = UUID().uuidString
    try FileManager.default.createDirectory(at: engine.external.folder, withIntermediateDirectories: true)
    try Data("large".utf8).write(to: engine.external.folder.appendingPathComponent(name))
    engine.connections.released.add([name])
    #expect(engine.external.names == [name])
    try await coordinator.close()
    #expect(engine.external.names.isEmpty)
  }

  @Test("closing refuses saves that wait for another process, and keeps their changes in the context")
  func waiting() async throws {
    let folder = try TemporaryFolder()
    let coordinator = try coordinator(folder)
    let writeLock = try connections(coordinator).writeLock
    let lock = try ForeignLock(folder.file())
    let contexts = (0..<6).map { _ in context(coordinator) }
    let tasks = contexts.enumerated().map { number, context in
      Task {
        await context.perform { Tag(context: context).name = "\(number)" }
        if number % 2 == 0 {
          try await context.save(deadline: .now + .seconds(86_400))
        } else {
          try await context.perform { try context.save() }
        }
      }
    }
    while writeLock.waitingCount < 5 { await Task.yield() }
    try await coordinator.close(grace: .seconds(86_400))
    for task in tasks {
      let error = await #expect(throws: NSError.self) { try await task.value }
      #expect([NSPersistentStoreOperationError, NSPersistentStoreTimeoutError].contains(error?.code))
    }
    for context in contexts { #expect(await context.perform { context.hasChanges }) }
    try lock.release()
    #expect(try folder.query("SELECT COUNT(*) FROM ZTAG") == [0])
  }

  @Test("closing waits for a running transaction")
  func atWork() async throws {
    let folder = try TemporaryFolder()
    let coordinator = try coordinator(folder)
    let writeLock = try connections(coordinator).writeLock
    let (inside, door) = (Signal(), DispatchSemaphore(value: 0))
    let work = onThread {
      try coordinator.performTransaction { context in
        Tag(context: context).name = "t"
        try context.save()
        inside.send()
        door.wait()
      }
    }
    await inside.wait()
    let closing = Task { try await coordinator.close(grace: .seconds(86_400)) }
    while !writeLock.isClosed { await Task.yield() }
    door.signal()
    try await work.value
    try await closing.value
    #expect(try folder.query("SELECT ZNAME FROM ZTAG") == ["t"])
  }

  @Test(
    "closing ends while overlapping fetches read the newest or a pinned state",
    arguments: [false, true]
  )
  func overlapping(_ isPinned: Bool) async throws {
    let folder = try TemporaryFolder()
    let coordinator = try coordinator(folder)
    let contexts = (0..<3).map { _ in context(coordinator) }
    if isPinned { for context in contexts { try context.setQueryGenerationFrom(.current) } }
    let count = Atomic(0)
    let readers = contexts.map { context in
      onThread {
        while true {
          try context.performAndWait { _ = try context.count(for: NSFetchRequest<Note>(entityName: "Note")) }
          count.add(1, ordering: .relaxed)
        }
      }
    }
    while count.load(ordering: .relaxed) < 100 { await Task.yield() }
    try await coordinator.close(grace: .zero)
    for reader in readers { await #expect(throws: NSError.self) { try await reader.value } }
  }

  @Test("closing interrupts work that exceeds the grace period, and rolls it back")
  func grace() async throws {
    let folder = try TemporaryFolder()
    let coordinator = try coordinator(folder)
    let connections = try connections(coordinator)
    let (isWriting, isReading) = (Signal(), Signal())
    let endless = """
      WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers) SELECT COUNT(*) FROM numbers
      """
    let writing = onThread {
      try connections.write { database in
        try database.execute(sql: "UPDATE Z_METADATA SET Z_VERSION = 77")
        isWriting.send()
        try database.execute(sql: endless)
      }
    }
    let reading = onThread {
      try connections.readOnce { database in
        isReading.send()
        try database.execute(sql: endless)
      }
    }
    await isWriting.wait()
    await isReading.wait()
    try await coordinator.close(grace: .zero)
    for task in [writing, reading] {
      let error = await #expect(throws: DatabaseError.self) { try await task.value }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
    }
    #expect(try folder.query("SELECT Z_VERSION FROM Z_METADATA") == [1])
  }
}
