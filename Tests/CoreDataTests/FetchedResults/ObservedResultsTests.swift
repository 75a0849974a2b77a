import CoreData
import Foundation
import Observation
import Synchronization
import Testing

@Suite("Observed fetched results")
struct ObservedResultsTests {
  private func titles(_ results: FetchedResults<Note>) -> [String] { results.objects.map { $0.title ?? "" } }

  @Test("objects follow insertions, changes and deletions", arguments: StoreKind.allCases)
  func objects(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let notes = ["a", "b", "c"].map { stack.note($0) }
    try stack.save()
    let results = FetchedResults(of: try stack.notes(), in: stack.context)
    #expect(titles(results) == ["a", "b", "c"])
    notes[0].title = "z"
    stack.context.delete(notes[1])
    stack.note("n")
    stack.context.processPendingChanges()
    #expect(titles(results) == ["c", "n", "z"])
    #expect(results.error == nil)
  }

  @Test("sections come and go with their objects", arguments: StoreKind.allCases)
  func sections(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("a", stack.category("1"))
    stack.note("b", stack.category("2"))
    let request = try stack.notes()
    request.sortDescriptors = ["category.name", "title"].map { NSSortDescriptor(key: $0, ascending: true) }
    let results = FetchedResults(of: request, in: stack.context, sectionNameKeyPath: "category.name")
    #expect(results.sections.map(\.name) == ["1", "2"])
    note.category = stack.category("3")
    stack.context.processPendingChanges()
    #expect(results.sections.map(\.id) == ["2", "3"])
    #expect(results.sections.map { $0.objects.map { $0.title ?? "" } } == [["b"], ["a"]])
  }

  @Test(
    "a predicate and an order that are changed count at once, and are followed",
    arguments: StoreKind.allCases
  )
  func changedRequest(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for (title, rating) in [("a", Int64(1)), ("b", 5), ("c", 9)] { stack.note(title, rating: rating) }
    try stack.save()
    let request = try stack.notes()
    let results = FetchedResults(of: request, in: stack.context)
    results.predicate = NSPredicate(format: "rating > 3")
    #expect(titles(results) == ["b", "c"])
    results.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    #expect(titles(results) == ["c", "b"])
    stack.note("d", rating: 4)
    stack.note("e", rating: 2)
    stack.context.processPendingChanges()
    #expect(titles(results) == ["d", "c", "b"])
    results.predicate = nil
    #expect(titles(results) == ["e", "d", "c", "b", "a"])
    // The results use a copy of the caller's request.
    #expect(request.sortDescriptors?.count == 2)
  }

  @Test(
    "a predicate that cannot be fetched leaves the objects and an error, until there is another one",
    arguments: StoreKind.storesAndChildren
  )
  func error(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("a")
    try stack.save()
    let results = FetchedResults(of: try stack.notes(), in: stack.context)
    results.predicate = NSPredicate(format: "nothing == 1")
    #expect((results.error as NSError?)?.domain == NSCocoaErrorDomain)
    #expect(titles(results) == ["a"])
    results.predicate = NSPredicate(format: "title == 'b'")
    #expect(results.error == nil && results.objects.isEmpty)
    stack.note("b")
    stack.context.processPendingChanges()
    #expect(titles(results) == ["b"])
  }

  @Test(
    "a change that cannot be taken over is tried again with the next one",
    arguments: [StoreKind.inMemory, .childOfInMemory]
  )
  func recovery(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("a")
    let results = FetchedResults(of: try stack.notes("title > createdAt"), in: stack.context)
    note.createdAt = Date()
    stack.context.processPendingChanges()
    #expect(results.error != nil)
    note.createdAt = nil
    stack.context.processPendingChanges()
    #expect(results.error == nil)
    // The failure does not affect the context, which can save.
    try stack.save()
  }

  @Test("an order that scatters the objects of a section is an error", arguments: StoreKind.storesAndChildren)
  func scatteredSections(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for (title, rating) in [("a", Int64(1)), ("b", 2), ("c", 1)] { stack.note(title, rating: rating) }
    let request = try stack.notes()
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
    let results = FetchedResults(of: request, in: stack.context, sectionNameKeyPath: "rating")
    #expect(results.sections.map(\.objects.count) == [2, 1])
    results.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    #expect(results.error?.localizedDescription.contains("sort descriptor") == true)
    #expect(results.objects.count == 3)
  }

  @Test(
    "observers of objects are called before they change, and not when nothing concerns them",
    arguments: StoreKind.storesAndChildren
  )
  func observation(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let results = FetchedResults(of: try stack.notes("rating > 5"), in: stack.context)
    let calls = Mutex(0)
    func observe() {
      withObservationTracking {
        _ = results.objects
      } onChange: {
        calls.withLock { $0 += 1 }
      }
    }
    observe()
    let note = stack.note("a", rating: 1)
    stack.context.processPendingChanges()
    #expect(calls.withLock { $0 } == 0)
    note.rating = 9
    stack.context.processPendingChanges()
    #expect(calls.withLock { $0 } == 1)
    observe()
    results.predicate = nil
    #expect(calls.withLock { $0 } == 2)
  }

  @Test("what another context saved is merged into results", arguments: StoreKind.storesAndChildren)
  func merge(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    nonisolated(unsafe) let results = try await stack.context.perform {
      UncheckedBox(FetchedResults(of: try stack.notes(), in: stack.context))
    }.value
    try await stack.work { $0.context.automaticallyMergesChangesFromParent = true }
    try await stack.sibling().saveNotes(inserting: ["a"])
    try await stack.work { _ in #expect(results.objects.map(\.title) == ["a"]) }
  }

  /// Carries results out of their context's queue, on which they are used again.
  private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  @Test("results of a main-queue context belong to the main actor")
  @MainActor
  func mainActor() throws {
    let stack = try Stack(.inMemory)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = stack.coordinator
    let results = FetchedResults(of: try stack.notes(), in: context)
    Note(context: context).title = "a"
    context.processPendingChanges()
    #expect(titles(results) == ["a"])
  }
}
