import CoreData
import Foundation
import Testing

@Suite("Updates of a request", .timeLimit(.minutes(10)))
struct UpdatesTests {
  @Test("the first update has the fetched results, and no difference", arguments: StoreKind.storesAndChildren)
  func first(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["b", "a"])
    var updates = try stack.titleUpdates().makeAsyncIterator()
    let update = try #require(try await updates.next())
    #expect(update.results == ["a", "b"])
    #expect(update.difference == nil)
  }

  @Test(
    "an insertion, a change, a move and a deletion are in the update that follows them",
    arguments: StoreKind.allCases
  )
  func changes(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["a", "b", "c"])
    var updates = try stack.titleUpdates().makeAsyncIterator()
    _ = try await updates.next()
    try await stack.work { stack in
      let notes = try stack.context.fetch(try stack.notes())
      notes[0].title = "z"
      notes[1].rating = 9
      stack.context.delete(notes[2])
      stack.note("n")
    }
    #expect(try await updates.next()?.results == ["b", "n", "z"])
  }

  @Test("the difference leads from one update's IDs to the next", arguments: StoreKind.allCases)
  func difference(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["a", "b", "c", "d"])
    var updates = stack.context.updates(of: try stack.notes(), transform: \.objectID).makeAsyncIterator()
    let first = try #require(try await updates.next())
    try await stack.work { stack in
      let notes = try stack.context.fetch(try stack.notes())
      notes[0].title = "z"
      stack.context.delete(notes[2])
      stack.note("n")
    }
    let second = try #require(try await updates.next())
    let difference = try #require(second.difference)
    #expect(first.results.applying(difference) == second.results)
    #expect(difference.removals.count == 2 && difference.insertions.count == 2)
  }

  @Test("all changes of one perform are in one update", arguments: StoreKind.storesAndChildren)
  func coalesced(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let updates = try stack.titleUpdates()
    let hasFirst = Signal()
    let task = Task {
      var counts: [Int] = []
      for try await update in updates {
        counts.append(update.results.count)
        hasFirst.send()
        if counts.count == 2 { break }
      }
      return counts
    }
    await hasFirst.wait()
    try await stack.work { stack in
      for number in 0..<10 {
        stack.note("\(number)")
        stack.context.processPendingChanges()
      }
      try stack.save()
    }
    #expect(try await task.value == [0, 10])
  }

  @Test("changes outside of the results cause no update", arguments: StoreKind.storesAndChildren)
  func unconcerned(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    var updates = try stack.titleUpdates("rating > 5").makeAsyncIterator()
    _ = try await updates.next()
    try await stack.work { stack in
      stack.note("low", rating: 1)
      _ = stack.tag("t")
    }
    try await stack.work { $0.note("high", rating: 9) }
    let update = try #require(try await updates.next())
    #expect(update.results == ["high"])
    #expect(update.difference?.insertions.count == 1)
    #expect(update.difference?.removals.isEmpty == true)
  }

  @Test("objects come into the predicate and leave it", arguments: StoreKind.allCases)
  func predicate(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.work { stack in
      stack.note("a", rating: 1)
      stack.note("b", rating: 9)
      try stack.save()
    }
    var updates = try stack.titleUpdates("rating > 5").makeAsyncIterator()
    #expect(try await updates.next()?.results == ["b"])
    try await stack.work { stack in
      let notes = try stack.context.fetch(try stack.notes())
      notes[0].rating = 8
      notes[1].rating = 2
    }
    #expect(try await updates.next()?.results == ["a"])
  }

  @Test("a limit lets the next object in", arguments: StoreKind.storesAndChildren)
  func limit(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["a", "b", "c"])
    var updates = try stack.titleUpdates(limit: 2).makeAsyncIterator()
    #expect(try await updates.next()?.results == ["a", "b"])
    try await stack.work { stack in
      stack.context.delete(try stack.context.fetch(try stack.notes())[0])
    }
    #expect(try await updates.next()?.results == ["b", "c"])
  }

  @Test("a rollback is an update to the previous results", arguments: StoreKind.storesAndChildren)
  func rollback(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["a"])
    var updates = try stack.titleUpdates().makeAsyncIterator()
    _ = try await updates.next()
    try await stack.work { $0.note("b") }
    #expect(try await updates.next()?.results == ["a", "b"])
    try await stack.work { $0.context.rollback() }
    #expect(try await updates.next()?.results == ["a"])
  }

  @Test("a context that was reset is fetched from again", arguments: StoreKind.storesAndChildren)
  func reset(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["a", "b"])
    var updates = stack.context.updates(of: try stack.notes(), transform: \.objectID).makeAsyncIterator()
    let first = try #require(try await updates.next())
    try await stack.work { stack in
      stack.note("unsaved")
      stack.context.reset()
    }
    let second = try #require(try await updates.next())
    #expect(second.results == first.results)
    #expect(first.results.applying(try #require(second.difference)) == second.results)
  }

  @Test(
    "a save gives new objects other IDs, and that is an update",
    arguments: [StoreKind.sqlite, .inMemory]
  )
  func permanentIDs(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let updates = stack.context.updates(of: try stack.notes()) { $0.objectID.isTemporaryID }
    var iterator = updates.makeAsyncIterator()
    _ = try await iterator.next()
    try await stack.work { $0.note("a") }
    #expect(try await iterator.next()?.results == [true])
    try await stack.work { try $0.save() }
    #expect(try await iterator.next()?.results == [false])
  }

  @Test("the request can be changed afterwards without changing the updates")
  func copiedRequest() async throws {
    let stack = try Stack(.inMemory)
    try await stack.saveNotes(["a", "b"])
    let request = try stack.notes()
    let updates = stack.context.updates(of: request) { $0.title ?? "" }
    request.predicate = NSPredicate(value: false)
    var iterator = updates.makeAsyncIterator()
    #expect(try await iterator.next()?.results == ["a", "b"])
  }

  @Test("two iterators of one sequence track the context independently")
  func twoIterators() async throws {
    let stack = try Stack(.sqlite)
    let updates = try stack.titleUpdates()
    var (one, other) = (updates.makeAsyncIterator(), updates.makeAsyncIterator())
    _ = try await one.next()
    try await stack.work { $0.note("a") }
    #expect(try await one.next()?.difference?.count == 1)
    let first = try await other.next()
    #expect(first?.difference == nil && first?.results == ["a"])
  }

  // MARK: - Objects

  @Test("objects are used by an actor whose executor is the context", arguments: StoreKind.storesAndChildren)
  func objects(_ kind: StoreKind) async throws {
    let reader = NoteReader(try Stack(kind))
    #expect(try await reader.titlesOfTwoUpdates() == [["a"], ["a", "b"]])
  }

  /// Iterates over objects on the queue of their context.
  private actor NoteReader {
    private let stack: Stack

    nonisolated var unownedExecutor: UnownedSerialExecutor { stack.context.asUnownedSerialExecutor() }

    init(_ stack: Stack) { self.stack = stack }

    func titlesOfTwoUpdates() async throws -> [[String]] {
      stack.note("a")
      try stack.save()
      var titles: [[String]] = []
      for try await update in stack.context.updates(of: try stack.notes()) {
        titles.append(update.results.map { $0.title ?? "" })
        if titles.count == 2 { break }
        stack.note("b")
      }
      return titles
    }
  }

  @Test("objects of a main-queue context are used on the main actor")
  @MainActor
  func mainActor() async throws {
    let stack = try Stack(.inMemory)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = stack.coordinator
    var counts: [Int] = []
    for try await update in context.updates(of: try stack.notes()) {
      counts.append(update.results.count)
      if counts.count == 3 { break }
      Note(context: context).title = update.results.first?.title ?? "a"
    }
    #expect(counts == [0, 1, 2])
  }
}
