import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Queues of contexts")
struct QueueTests {
  private struct Failure: Error, Equatable {}

  @Test("performAndWait may be nested, and rethrows")
  func nested() throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let other = NSManagedObjectContext(.privateQueue)
    let result = context.performAndWait { other.performAndWait { context.performAndWait { 42 } } }
    #expect(result == 42)
    #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
  }

  @Test("perform runs in order, on the queue")
  func order() async throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let log = Mutex<[Int]>([])
    let enqueue = { (index: Int) in context.perform { log.withLock { $0.append(index) } } }
    for index in 0..<10 { enqueue(index) }
    await context.perform(schedule: .enqueued) {}
    #expect(log.withLock { $0 } == Array(0..<10))
  }

  @Test("the async form answers, and rethrows")
  func asynchronous() async throws {
    let context = NSManagedObjectContext(.mainQueue)
    #expect(await context.perform { 42 } == 42)
    await #expect(throws: Failure.self) { try await context.perform { throw Failure() } }
  }

  @Test("work for the main queue runs on the main queue")
  func main() async {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    await context.perform { dispatchPrecondition(condition: .onQueue(.main)) }
    await Task.detached {
      context.performAndWait { dispatchPrecondition(condition: .onQueue(.main)) }
    }.value
  }

  @Test(
    "several contexts may work on one store at once",
    arguments: StoreKind.allCases.filter { !$0.isChild }
  )
  func concurrent(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let contexts = (0..<8).map { _ in stack.newContext() }
    try await withThrowingTaskGroup { group in
      for (index, context) in contexts.enumerated() {
        group.addTask {
          for round in 0..<20 {
            try await context.perform {
              let note = Note(context: context)
              note.title = "\(index).\(round)"
              try context.save()
              _ = try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let titles = try stack.fetch(Note.self, in: stack.newContext()).compactMap(\.title)
    #expect(Set(titles).count == 160)
  }
}
