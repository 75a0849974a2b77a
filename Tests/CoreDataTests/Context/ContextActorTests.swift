import CoreData
import Foundation
import Testing

@Suite("An actor with a context as its executor")
struct ContextActorTests {
  private actor Notes {
    let context: NSManagedObjectContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { context.asUnownedSerialExecutor() }

    init(_ context: NSManagedObjectContext) { self.context = context }

    func add(_ title: String) throws {
      context.assertIsolated()
      Note(context: context).title = title
      try context.save()
    }

    /// Returns the titles of all notes. The request finds its context by the queue.
    func titles() throws -> [String] { try Note.fetchRequest().execute().compactMap { ($0 as? Note)?.title } }

    func insert(_ title: String) { Note(context: context).title = title }

    func save() async throws { try await context.save(deadline: .now + .seconds(86_400)) }

    func addSlowly(_ title: String) async throws {
      let note = Note(context: context)
      await Task.yield()
      note.title = title
      try await context.performWrite { [context] in context.assertIsolated() }
    }
  }

  @Test("an actor uses its context without perform", arguments: StoreKind.allCases.filter { !$0.isChild })
  func works(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let notes = Notes(stack.newContext())
    try await notes.add("one")
    #expect(try await notes.titles() == ["one"])
    try await notes.addSlowly("two")
    #expect(try await notes.titles().sorted() == ["one", "two"])
  }

  @Test("an actor alternates with the blocks of its context")
  func turns() async throws {
    let stack = try Stack(.sqlite)
    let context = stack.newContext()
    let notes = Notes(context)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { try await notes.add("actor \(number)") }
        group.addTask {
          try await context.perform {
            Note(context: context).title = "block \(number)"
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await notes.titles().count == 40)
  }

  @Test("an actor saves its context in its turn")
  func saves() async throws {
    let stack = try Stack(.sqlite)
    let notes = Notes(stack.newContext())
    await notes.insert("one")
    try await notes.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["one"])
  }

  @Test("an actor can use the main queue as well")
  func main() async throws {
    let stack = try Stack(.inMemory)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = stack.coordinator
    let notes = Notes(context)
    try await notes.add("one")
    #expect(try await notes.titles() == ["one"])
  }
}
