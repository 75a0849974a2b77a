import CoreData
import Foundation
import Synchronization
import Testing

@testable import Seeding

@Suite("Cancellation and progress of seeding runs")
struct SeedCancellationTests {
  private static func tags(_ count: Int) -> Data {
    Data("{\"tags\": [\((0..<count).map { "{\"name\": \"\($0)\"}" }.joined(separator: ","))]}".utf8)
  }

  /// Cancels a progress as soon as a phase begins.
  private final class Canceller: Progress, @unchecked Sendable {
    private let phase: SeedPhase
    init(at phase: SeedPhase) {
      self.phase = phase
      super.init(parent: nil)
    }
    override func setUserInfoObject(_ object: Any?, forKey key: ProgressUserInfoKey) {
      super.setUserInfoObject(object, forKey: key)
      if key == .seedPhase, object as? String == phase.rawValue { cancel() }
    }
  }

  @Test(
    "a run that is cancelled ends with an error in every phase but the last, and the store is unchanged",
    arguments: SeedWay.allCases,
    [SeedPhase.reading, .waiting, .writing]
  )
  func phases(way: SeedWay, phase: SeedPhase) throws {
    // Only a transaction waits for a lock.
    if phase == .waiting, way == .oneSave || way == .parent { return }
    let store = try way.store()
    let error = #expect(throws: SeedError.self) {
      try way.run(
        Seeder(.data(Self.tags(3000), name: "seed.json")),
        in: store,
        progress: Canceller(at: phase)
      )
    }
    #expect(error?.code == .cancelled)
    #expect(try store.count("Tag") == 0)
    #expect(SeedLedger(metadata: store.metadata).entries.isEmpty)
    #expect(try way.run(Seeder(.data(Self.tags(3), name: "seed.json")), in: store).total.created == 3)
  }

  /// Runs a closure when it transforms a value.
  private final class Hook: ValueTransformer, @unchecked Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

    override func transformedValue(_ value: Any?) -> Any? {
      action.withLock { $0 }?()
      return value
    }
  }

  @Test(
    "an operation that is cancelled while it runs reports it and saves nothing",
    arguments: TestStore.Kind.allCases
  )
  func operation(kind: TestStore.Kind) async throws {
    let hook = Hook()
    let name = NSValueTransformerName("SeedCancellationTests-\(UUID().uuidString)")
    ValueTransformer.setValueTransformer(hook, forName: name)
    let store = try TestStore(
      kind,
      TestModel.notes { entities in
        entities["Note"]?.propertiesByName["contents"]?.userInfo = ["JSONTransformerName": name.rawValue]
      }
    )
    let completions = Mutex<[Bool]>([])
    let seed = "{\"notes\": [{\"title\": \"1\"}, {\"title\": \"2\", \"contents\": \"x\"}]}"
    let operation = SeedOperation(
      with: store.newContext(),
      seed: .data(Data(seed.utf8), name: "seed.json")
    ) { isSeeded in
      completions.withLock { $0.append(isSeeded) }
    }
    hook.set { [unowned operation] in operation.cancel() }
    let queue = OperationQueue()
    queue.addOperation(operation)
    await withCheckedContinuation { finished in queue.addBarrierBlock { finished.resume() } }
    #expect(completions.withLock { $0 } == [false])
    guard case .failure(let error)? = operation.result else {
      Issue.record("the operation did not fail")
      return
    }
    #expect(error.code == .cancelled)
    #expect(try store.count("Note") == 0)
  }

  @Test("an operation that is cancelled before it starts calls its completion handler once")
  func beforeStart() async throws {
    let store = try TestStore()
    let completions = Mutex<[Bool]>([])
    let operation = SeedOperation(with: store.newContext(), seed: .data(Self.tags(1), name: "seed.json")) {
      isSeeded in
      completions.withLock { $0.append(isSeeded) }
    }
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperation(operation)
    operation.cancel()
    queue.isSuspended = false
    await withCheckedContinuation { finished in queue.addBarrierBlock { finished.resume() } }
    #expect(completions.withLock { $0 } == [false])
    #expect(operation.isFinished)
    #expect(try store.count("Tag") == 0)
  }

  @Test("cancelling a task ends its run")
  func task() async throws {
    let store = try TestStore(.sqlite)
    let container = NSPersistentContainer(
      name: "Test",
      managedObjectModel: store.coordinator.managedObjectModel
    )
    let description = NSPersistentStoreDescription(url: try #require(store.url))
    try store.close()
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Seeder(.data(Self.tags(10), name: "seed.json")).run(in: container)
    }
    let error = await #expect(throws: SeedError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(try container.viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 0)
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }

  @Test(
    "a progress is finished when its run is, even if there was nothing to do",
    arguments: SeedWay.allCases
  )
  func finished(way: SeedWay) throws {
    let store = try way.store()
    for _ in 0..<2 {
      let progress = Progress(totalUnitCount: 0)
      try way.run(Seeder(.data(Self.tags(3), name: "seed.json")), in: store, progress: progress)
      #expect(progress.isFinished)
      #expect(progress.fractionCompleted == 1)
    }
  }

  @Test("a progress is not finished while objects are being written", arguments: SeedWay.allCases)
  func fraction(way: SeedWay) throws {
    final class Recorder: Progress, @unchecked Sendable {
      let fractions = Mutex<[String: Double]>([:])
      init() { super.init(parent: nil) }
      override func setUserInfoObject(_ object: Any?, forKey key: ProgressUserInfoKey) {
        super.setUserInfoObject(object, forKey: key)
        if let phase = object as? String { fractions.withLock { $0[phase] = fractionCompleted } }
      }
    }
    let store = try way.store()
    let progress = Recorder()
    try way.run(Seeder(.data(Self.tags(3000), name: "seed.json")), in: store, progress: progress)
    let fractions = progress.fractions.withLock { $0 }
    #expect(fractions[SeedPhase.reading.rawValue] == 0)
    if way != .pieces, way != .server { #expect(0.4...0.6 ~= fractions[SeedPhase.writing.rawValue] ?? 0) }
    #expect((0.9..<1) ~= fractions[SeedPhase.saving.rawValue] ?? 0)
    #expect(progress.isFinished)
  }
}
