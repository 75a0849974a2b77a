import CoreData
import Foundation
import SQLiteDriver
import TestModels
import TestSupport
import Testing

@testable import CoreData

@Suite("The health of an open store")
struct StoreHealthTests {
  private let folder: TemporaryFolder
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)

  init() throws { folder = try TemporaryFolder() }

  private func add(_ options: [AnyHashable: Any] = [:]) throws -> NSPersistentStore {
    // By default, no access times out while a slow machine runs the tests. A test can set another limit.
    let options = [NSPersistentStoreTimeoutOption: 3600 as NSNumber].merging(options) { $1 }
    return try coordinator.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
  }

  private func health(
    _ store: NSPersistentStore,
    _ limits: StoreHealthLimits = StoreHealthLimits(),
    within time: Duration = .seconds(86_400)
  ) async throws -> StoreHealth {
    try await coordinator.health(of: store, limits: limits, deadline: .now + time)
  }

  private func save(_ titles: String...) throws {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    for title in titles {
      context.note(title)
      try context.save()
    }
  }

  @Test("a store without problems is healthy, whatever its type", arguments: StoreKind.allCases)
  func well(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    _ = stack.note("one")
    try stack.save()
    for store in stack.coordinator.persistentStores {
      let health = try await stack.coordinator.health(of: store, deadline: .now + .seconds(86_400))
      #expect(health.problems.map(\.description) == [])
      #expect(health.isHealthy)
      #expect((health.activity != nil) == (kind.isSQLite || kind.isPostgreSQL))
      let activity = try stack.coordinator.activity(of: store)
      #expect((activity.logByteCount > 0) == kind.isSQLite)
      #expect(activity.waitingWriterCount == 0)
      #expect(activity.busyReaderCount == 0)
    }
  }

  @Test("checking the health writes nothing")
  func writesNothing() async throws {
    let store = try add([NSPersistentHistoryTrackingKey: true as NSNumber])
    try save("one")
    let sizes = {
      try [store.url!, URL(fileURLWithPath: store.url!.path + "-wal")].map { try Data(contentsOf: $0) }
    }
    let before = try sizes()
    #expect(try await health(store).isHealthy)
    #expect(try sizes() == before)
  }

  @Test("the health names a log, a history and a disk beyond their limits")
  func limits() async throws {
    let store = try add([NSPersistentHistoryTrackingKey: true as NSNumber])
    let start = Date()
    try save("one", "two", "three")
    var limits = StoreHealthLimits()
    limits.logByteCount = 1
    limits.historyTransactionCount = 2
    limits.availableByteCount = .max
    let health = try await health(store, limits)
    #expect(health.problems.map(\.kind) == [.lowSpace, .longLog, .longHistory])
    for problem in health.problems { #expect(problem.description.contains(folder.file().path)) }
    #expect(!health.isHealthy)
    #expect(health.isUsable)
    #expect(health.historyTransactionCount == 3)
    #expect(try #require(health.oldestTransactionDate) >= start)
    #expect(try #require(health.availableByteCount) > 0)

    limits = StoreHealthLimits()
    limits.historyTransactionCount = 3
    #expect(try await self.health(store, limits).isHealthy)
  }

  @Test("a history without a transaction is not too long")
  func emptyHistory() async throws {
    let store = try add([NSPersistentHistoryTrackingKey: true as NSNumber])
    let health = try await health(store)
    #expect(health.historyTransactionCount == 0)
    #expect(health.oldestTransactionDate == nil)
    #expect(health.isHealthy)
  }

  @Test("a store is busy while another process writes, and while a call of this process has the write lock")
  func busy() async throws {
    let store = try add()
    let lock = try ForeignLock(folder.file())
    #expect(try await health(store, within: .milliseconds(10)).problems.map(\.kind) == [.busy])
    try lock.release()
    #expect(try await health(store).isHealthy)

    let writeLock = try #require(store as? SQLiteStore).engine().connections.writeLock
    let call = StoreCall()
    try await writeLock.take(for: call, timeout: 86_400)
    #expect(try await health(store, within: .milliseconds(10)).problems.map(\.kind) == [.busy])
    #expect(try coordinator.activity(of: store).waitingWriterCount == 0)
    writeLock.end(call)
    #expect(try await health(store).isHealthy)
  }

  @Test("a store is busy if its own timeout ends before the caller's")
  func busyForLong() async throws {
    let store = try add([NSPersistentStoreTimeoutOption: 0 as NSNumber])
    let writeLock = try #require(store as? SQLiteStore).engine().connections.writeLock
    let call = StoreCall()
    try await writeLock.take(for: call, timeout: 86_400)
    #expect(try await health(store).problems.map(\.kind) == [.busy])
    writeLock.end(call)
  }

  @Test("the health reports a removed or replaced file", arguments: [false, true])
  func moved(_ replaces: Bool) async throws {
    let store = try add()
    try save("one")
    let path = folder.file().path
    #expect(rename(path, path + "-former") == 0)
    if replaces { try Data("another".utf8).write(to: folder.file()) }
    let files = {
      try [path + "-former", path + "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    }
    let before = try files()
    let health = try await health(store)
    #expect(health.problems.map(\.kind) == [.replaced])
    #expect(!health.isUsable)
    #expect(try #require(health.problems.first).description.contains(path))
    #expect(try files() == before)
  }

  @Test("the health reports a removed log, each time")
  func lostLog() async throws {
    let store = try add()
    try save("one")
    #expect(unlink(folder.file().path + "-wal") == 0)
    for _ in 0..<3 { #expect(try await health(store).problems.map(\.kind) == [.replaced]) }
  }

  @Test("a canceled health check has no findings")
  func cancelled() async throws {
    let store = try #require(add() as? SQLiteStore)
    let writeLock = try store.engine().connections.writeLock
    let call = StoreCall()
    try await writeLock.take(for: call, timeout: 86_400)
    let looking = Task { [coordinator] in
      try await coordinator.health(of: store, deadline: .now + .seconds(86_400))
    }
    while writeLock.waitingCount < 1 { await Task.yield() }
    looking.cancel()
    await #expect(throws: CancellationError.self) { try await looking.value }
    writeLock.end(call)
  }

  @Test("the health of a store that is removed meanwhile is closed")
  func removedMeanwhile() async throws {
    let store = try #require(add() as? SQLiteStore)
    let writeLock = try store.engine().connections.writeLock
    let call = StoreCall()
    try await writeLock.take(for: call, timeout: 86_400)
    let looking = Task { [coordinator] in
      try await coordinator.health(of: store, deadline: .now + .seconds(86_400))
    }
    while writeLock.waitingCount < 1 { await Task.yield() }
    writeLock.end(call)
    try coordinator.remove(store)
    // The check may have finished before the store was closed.
    #expect(try await looking.value.problems.allSatisfy { $0.kind == .closed })
  }

  @Test("the health reports that another program has migrated the store")
  func migrated() async throws {
    let store = try add()
    try save("one")
    let other = NSPersistentStoreCoordinator(managedObjectModel: Self.laterModel)
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
      NSInferMappingModelAutomaticallyOption: true as NSNumber,
    ]
    try other.addPersistentStore(type: .sqlite, at: folder.file(), options: options)
    #expect(try await health(store).problems.map(\.kind) == [.incompatible])
  }

  private static var laterModel: NSManagedObjectModel {
    let model = TestModel.shared.copy() as! NSManagedObjectModel
    model.entitiesByName["Tag"]?.properties.append(makeAttribute("addedLater"))
    return model
  }

  @Test("the health of a read-only store is checked without its lock")
  func readOnly() async throws {
    try coordinator.remove(add())
    let store = try add([NSReadOnlyPersistentStoreOption: true as NSNumber])
    let lock = try ForeignLock(folder.file())
    #expect(try await health(store).isHealthy)
    try lock.release()
  }

  @Test("the health of a store that is not open here is an error, and that of a closing one is bad")
  func closed() async throws {
    let store = try add()
    try #require(store as? SQLiteStore).refuseWrites()
    #expect(try await health(store).problems.map(\.kind) == [.closed])
    try coordinator.remove(store)
    await #expect { try await health(store) } throws: { error in
      (error as NSError).code == NSPersistentStoreOperationError
    }
    #expect { try coordinator.activity(of: store) } throws: { error in
      (error as NSError).code == NSPersistentStoreOperationError
    }
  }

  @Test("the health counts waiting writers, readers, and query generations")
  func activity() async throws {
    let store = try add()
    try save("one")
    let connections = try #require(store as? SQLiteStore).engine().connections
    let call = StoreCall()
    try await connections.writeLock.take(for: call, timeout: 86_400)
    let (context, pinned) = (NSManagedObjectContext(.privateQueue), NSManagedObjectContext(.privateQueue))
    for context in [context, pinned] { context.persistentStoreCoordinator = coordinator }
    let writing = Task { try await context.performWrite {} }
    while try coordinator.activity(of: store).waitingWriterCount < 1 { await Task.yield() }
    try await pinned.perform {
      try pinned.setQueryGenerationFrom(.current)
      _ = try pinned.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
    }
    let count = try connections.readOnce { _ in try coordinator.activity(of: store).busyReaderCount }
    #expect(count == 1)
    let activity = try coordinator.activity(of: store)
    #expect(activity.waitingWriterCount == 1)
    #expect(activity.busyReaderCount == 0)
    #expect(activity.heldGenerationCount == 1)
    #expect(try #require(activity.oldestGenerationAge) > .zero)
    connections.writeLock.end(call)
    try await writing.value
  }
}
