import CoreData
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("Working on a context's queue")
struct PerformTests {
  private struct Failure: Error {}

  /// Counts the blocks that run at the same time.
  private final class Counter: Sendable {
    private let counts = Mutex((running: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func visit() {
      counts.withLock { counts in
        counts.running += 1
        counts.most = max(counts.most, counts.running)
      }
      counts.withLock { $0.running -= 1 }
    }
  }

  /// Records the order in which blocks run.
  private final class Order: Sendable {
    let numbers = Mutex<[Int]>([])

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }

    func enqueue(_ count: Int, in context: NSManagedObjectContext) {
      for number in 0..<count { context.perform { self.add(number) } }
    }
  }

  private func context(_ kind: StoreKind) throws -> (Stack, NSManagedObjectContext) {
    let stack = try Stack(kind)
    return (stack, stack.context)
  }

  @Test("performAndWait answers what its block answers", arguments: StoreKind.allCases)
  func answer(_ kind: StoreKind) throws {
    let (stack, context) = try context(kind)
    #expect(context.performAndWait { stack.note("one").title } == "one")
  }

  @Test("performAndWait throws what its block throws", arguments: StoreKind.allCases)
  func throwing(_ kind: StoreKind) throws {
    let (_, context) = try context(kind)
    #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
  }

  @Test("performAndWait runs at once inside of itself, however deep", arguments: StoreKind.allCases)
  func reentrant(_ kind: StoreKind) throws {
    let (_, context) = try context(kind)
    let depth = context.performAndWait {
      context.performAndWait { context.performAndWait { 3 } }
    }
    #expect(depth == 3)
  }

  @Test("performAndWait runs at once inside of perform", arguments: StoreKind.allCases)
  func insidePerform(_ kind: StoreKind) async throws {
    let (_, context) = try context(kind)
    let value = await context.perform { context.performAndWait { 5 } }
    #expect(value == 5)
  }

  @Test("a parent and its child can wait for each other's blocks inside out")
  func parentInsideChild() throws {
    let stack = try Stack(.childOfInMemory)
    let parent = try #require(stack.context.parent)
    let value = stack.context.performAndWait { parent.performAndWait { 7 } }
    #expect(value == 7)
  }

  @Test(
    "async perform returns its block's result, and rethrows its error",
    arguments: StoreKind.allCases
  )
  func async(_ kind: StoreKind) async throws {
    let (stack, context) = try context(kind)
    let title = await context.perform { stack.note("one").title }
    #expect(title == "one")
    await #expect(throws: Failure.self) { try await context.perform { throw Failure() } }
  }

  @Test("enqueued work runs after the waiting work", arguments: StoreKind.allCases)
  func enqueued(_ kind: StoreKind) async throws {
    let (_, context) = try context(kind)
    let order = Order()
    order.enqueue(20, in: context)
    await context.perform(schedule: .enqueued) { order.add(20) }
    #expect(order.numbers.withLock { $0 } == Array(0...20))
  }

  @Test(
    "immediate work is waited for like any other from outside of the queue",
    arguments: StoreKind.allCases
  )
  func immediate(_ kind: StoreKind) async throws {
    let (_, context) = try context(kind)
    let value = await context.perform(schedule: .immediate) { 9 }
    #expect(value == 9)
  }

  @Test("perform processes changes when its block is done", arguments: StoreKind.allCases)
  func processing(_ kind: StoreKind) async throws {
    let (stack, context) = try context(kind)
    let count = Mutex(0)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange,
      object: context,
      queue: nil
    ) { _ in count.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    await context.perform { _ = stack.note("one") }
    #expect(count.withLock { $0 } == 1)
  }

  @Test("blocks of one context never run at the same time", arguments: StoreKind.allCases)
  func exclusive(_ kind: StoreKind) async throws {
    let (_, context) = try context(kind)
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { await context.perform { counter.visit() } } }
    }
    #expect(counter.most == 1)
  }

  @Test(
    "contexts of one coordinator work concurrently without losing changes",
    arguments: [StoreKind.inMemory, .sqlite]
  )
  func concurrently(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let contexts = (0..<4).map { _ in stack.newContext() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, context) in contexts.enumerated() {
        group.addTask {
          for turn in 0..<10 {
            try await context.perform {
              Note(context: context).title = "\(number) \(turn)"
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try stack.fetch(Note.self, in: stack.newContext()).count == 40)
  }

  @Test("a main-queue context works on the main queue")
  func mainQueue() async throws {
    let context = NSManagedObjectContext(.mainQueue)
    #expect(context.concurrencyType == .mainQueueConcurrencyType)
    let value = await context.perform {
      dispatchPrecondition(condition: .onQueue(.main))
      return context.performAndWait { 4 }
    }
    #expect(value == 4)
  }

  @Test("a private-queue context is made by either initialiser")
  func privateQueue() {
    #expect(NSManagedObjectContext(.privateQueue).concurrencyType == .privateQueueConcurrencyType)
    #expect(
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType).concurrencyType
        == .privateQueueConcurrencyType
    )
  }
}
