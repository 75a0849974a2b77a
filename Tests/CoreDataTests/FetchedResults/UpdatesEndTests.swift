import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("The end of updates of a request", .timeLimit(.minutes(10)))
struct UpdatesEndTests {
  @Test("updates end with the task that waits for them", arguments: StoreKind.storesAndChildren)
  func cancelled(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let updates = try stack.titleUpdates()
    let isWaiting = Signal()
    let task = Task {
      var count = 0
      for try await _ in updates {
        count += 1
        isWaiting.send()
      }
      return count
    }
    await isWaiting.wait()
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test("a task that was cancelled before gets no update")
  func cancelledBefore() async throws {
    let stack = try Stack(.inMemory)
    let updates = try stack.titleUpdates()
    let (isCancelled, task) = (Signal(), Signal())
    let count = Task {
      task.send()
      await isCancelled.wait()
      return try await updates.reduce(0) { count, _ in count + 1 }
    }
    await task.wait()
    count.cancel()
    isCancelled.send()
    #expect(try await count.value == 0)
  }

  @Test("nothing tracks the context after the iterator ends", arguments: [StoreKind.inMemory, .sqlite])
  func released(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["a"])
    let updates = try stack.titleUpdates()
    for try await _ in updates { break }
    try await stack.work { stack in
      #expect(stack.context.resultsFollowing.allSatisfy { $0.results == nil })
      #expect(stack.context.registeredObjects.isEmpty)
    }
  }

  @Test("an invalid key throws an error, and ends the updates", arguments: StoreKind.storesAndChildren)
  func wrongKey(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    // A store in memory evaluates the predicate for each of its objects.
    try await stack.saveNotes(["a"])
    var updates = try stack.titleUpdates("nothing == 1").makeAsyncIterator()
    do {
      _ = try await updates.next()
      Issue.record("the request was carried out")
    } catch {
      #expect((error as NSError).domain == NSCocoaErrorDomain)
      #expect("\(error)".contains("nothing"))
    }
    #expect(try await updates.next() == nil)
    withExtendedLifetime(stack) {}
  }

  @Test(
    "a predicate that a changed object does not allow is thrown",
    arguments: [StoreKind.inMemory, .childOfInMemory]
  )
  func evaluation(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["a"])
    var updates = try stack.titleUpdates("title > createdAt").makeAsyncIterator()
    _ = try await updates.next()
    try await stack.work { stack in try stack.fetch(Note.self).first?.createdAt = Date() }
    await #expect(throws: (any Error).self) { try await updates.next() }
    #expect(try await updates.next() == nil)
    // The failure does not affect the context, which can save.
    try await stack.work { try $0.save() }
  }

  @Test("the transform's error is thrown, and ends the updates")
  func transform() async throws {
    struct NoTitle: Error {}
    let stack = try Stack(.inMemory)
    var updates = stack.context.updates(of: try stack.notes()) { note -> String in
      guard let title = note.title else { throw NoTitle() }
      return title
    }.makeAsyncIterator()
    _ = try await updates.next()
    try await stack.work { $0.note("a").title = nil }
    await #expect(throws: NoTitle.self) { try await updates.next() }
    #expect(try await updates.next() == nil)
  }

  @Test("a request for dictionaries is refused by an error with the remedy")
  func dictionaries() async throws {
    let stack = try Stack(.inMemory)
    let request = try stack.notes()
    request.resultType = .dictionaryResultType
    var updates = stack.context.updates(of: request) { $0.title ?? "" }.makeAsyncIterator()
    do {
      _ = try await updates.next()
      Issue.record("the request was carried out")
    } catch {
      #expect(error.localizedDescription.contains("managedObjectResultType"))
    }
  }

  @Test("a context without stores throws")
  func noCoordinator() async throws {
    let context = NSManagedObjectContext(.privateQueue)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.entity = TestModel.shared.entitiesByName["Note"]
    var updates = context.updates(of: request) { $0.title ?? "" }.makeAsyncIterator()
    await #expect(throws: (any Error).self) { try await updates.next() }
  }
}
