import CoreData
import Foundation
import Testing

@Suite("Notifications of remote changes")
struct RemoteChangeTests {
  private static var options: [String: NSObject] {
    [NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true)]
  }
  private static var trackedOptions: [String: NSObject] {
    options.merging(TrackedStore.options) { first, _ in first }
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test(
    "every coordinator of a store posts remote changes, including the one that saved",
    arguments: StoreKind.sharedByPrograms
  )
  func saves(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let (one, other) = (
      try store.coordinator(Self.trackedOptions), try store.coordinator(Self.trackedOptions)
    )
    let posted = [one, other].map { Posted(.NSPersistentStoreRemoteChange, by: $0) }
    let context = context(one)
    context.note("one")
    try context.save()
    for (posted, coordinator) in zip(posted, [one, other]) {
      try await posted.wait()
      let userInfo = posted.last?.userInfo
      #expect(userInfo?[NSStoreUUIDKey] as? String == coordinator.persistentStores[0].identifier)
      #expect(userInfo?[NSPersistentStoreURLKey] as? URL == store.place)
      #expect(userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken == context.historyToken)
      #expect(posted.count == 1)
    }
  }

  @Test(
    "batch requests post remote changes, unless they change no object",
    arguments: StoreKind.sharedByPrograms
  )
  func batches(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let coordinator = try store.coordinator(Self.trackedOptions)
    let context = context(coordinator)
    context.note("one")
    let posted = Posted(.NSPersistentStoreRemoteChange, by: coordinator)
    try context.save()
    try await posted.wait()
    coordinator.persistentStores[0].metadata["key"] = "value"
    try context.save()
    let request = NSBatchDeleteRequest(fetchRequest: Note.fetchRequest())
    try context.execute(request)
    try await posted.wait(for: 2)
    #expect(posted.count == 2)
    #expect(
      posted.last?.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken == context.historyToken
    )
  }

  @Test("an observer of remote changes may remove the store", arguments: StoreKind.sharedByPrograms)
  func removedByObserver(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let coordinator = try store.coordinator(Self.trackedOptions)
    let context = context(coordinator)
    let removals = Removals()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: coordinator,
      queue: nil
    ) { _ in
      removals.add(
        coordinator.persistentStores.first.map { store in Result { try coordinator.remove(store) } }
      )
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.note("one")
    try context.save()
    try await removals.wait()
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test(
    "another thread may remove the store while an observer of remote changes waits for it",
    arguments: StoreKind.sharedByPrograms
  )
  func removedMeanwhile(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let coordinator = try store.coordinator(Self.trackedOptions)
    let context = context(coordinator)
    let (told, removed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let removals = Removals()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: coordinator,
      queue: nil
    ) { _ in
      told.signal()
      removals.add(
        removed.wait(timeout: .now() + 60) == .success
          ? .success(()) : .failure(CocoaError(.persistentStoreTimeout))
      )
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.note("one")
    try context.save()
    let persistentStore = try #require(coordinator.persistentStores.first)
    let thread = Thread {
      told.wait()
      removals.add(Result { try coordinator.remove(persistentStore) })
      removed.signal()
    }
    thread.start()
    try await removals.wait(for: 2)
    #expect(coordinator.persistentStores.isEmpty)
  }

  /// The results of removals on another thread.
  private final class Removals: Sendable {
    private let results: AsyncStream<Result<Void, any Error>>
    private let continuation: AsyncStream<Result<Void, any Error>>.Continuation

    init() { (results, continuation) = AsyncStream.makeStream() }

    func add(_ result: Result<Void, any Error>?) {
      if let result { continuation.yield(result) }
    }

    /// Waits for some results, and throws the first that is an error.
    func wait(for count: Int = 1) async throws {
      var iterator = results.makeAsyncIterator()
      for _ in 0..<count { try await iterator.next()?.get() }
    }
  }

  @Test(
    "remote changes of other processes are posted, with and without a history and a notification",
    arguments: StoreKind.sharedByPrograms,
    [true, false]
  )
  func processes(_ kind: StoreKind, _ hasHistory: Bool) async throws {
    let store = try TrackedStore(kind)
    let coordinator = try store.coordinator(hasHistory ? Self.trackedOptions : Self.options)
    let context = context(coordinator)
    context.note("one")
    let posted = Posted(.NSPersistentStoreRemoteChange, by: coordinator)
    try context.save()
    try await posted.wait()
    try store.changeAsOthersDo(hasHistory: hasHistory)
    try await posted.wait(for: 2)
    #expect(posted.count == 2)
  }

  @Test(
    "remote changes are not posted without the option, and not after the store is removed",
    arguments: StoreKind.sharedByPrograms
  )
  func withoutOption(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let (watched, silent) = (try store.coordinator(Self.trackedOptions), try store.coordinator())
    let posted = [watched, silent].map { Posted(.NSPersistentStoreRemoteChange, by: $0) }
    let context = context(silent)
    context.note("one")
    try context.save()
    try await posted[0].wait()
    #expect(posted[1].count == 0)
    try watched.remove(watched.persistentStores[0])
    context.note("two")
    try context.save()
    try await Task.sleep(for: .milliseconds(400))
    #expect(posted[0].count == 1)
  }
}
